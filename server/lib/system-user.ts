import { userInfo } from 'node:os'

/** Returns the name of the current user, preceded by the user who ran `sudo`, if any. */
export function systemUser({ SUDO_USER }: NodeJS.ProcessEnv = process.env): string {
  const name = nameOfUser()
  return SUDO_USER && SUDO_USER !== name ? `${SUDO_USER} as ${name}` : name
}

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // A user ID may have no name in a container.
    return `user ${process.getuid?.()}`
  }
}

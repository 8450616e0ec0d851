import { userInfo } from 'node:os'

/** Returns the current user, and the user before `sudo`. */
export function systemUser({ SUDO_USER }: NodeJS.ProcessEnv = process.env): string {
  const name = nameOfUser()
  return SUDO_USER && SUDO_USER !== name ? `${SUDO_USER} as ${name}` : name
}

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // In a container a user id may have no name.
    return `user ${process.getuid?.()}`
  }
}

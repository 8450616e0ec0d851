import { existsSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'
import { SetupError } from './project.mjs'

/** The settings that the file may contain; server/env.ts checks their values. */
export const SETTINGS = [
  ...['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'SECRET', 'PUBLIC_URL', 'ABOUT_URL', 'TRUST_PROXY'],
  ...['PRIZE_HOLD_MINUTES', 'CLOCK_TOLERANCE_MS', 'LOG_LEVEL', 'LOG_FORMAT', 'METRICS', 'RATE_LIMITS'],
]

/** The places of the file. */
const FILES = [fileURLToPath(new URL('../taps.env', import.meta.url)), '/etc/taps.env']

/**
 * Fills in settings that the environment leaves unset from the one settings file, if there is one.
 *
 * @param {NodeJS.ProcessEnv} env an empty variable counts as not set
 * @param {readonly string[]} files its possible places
 * @returns {string | undefined} its place
 * @throws {SetupError} when there are two files, when others may read it, or when a line is not a setting
 */
export function loadSettings(env = process.env, files = FILES) {
  const [file, other] = files.filter(path => existsSync(path))
  if (other) throw new SetupError(`There are two files of settings, ${file} and ${other}: keep one.`)
  if (!file) return undefined
  for (const [name, value] of parse(file, read(file))) env[name] ||= value
  return file
}

/** @param {string} file */
function read(file) {
  if (statSync(file).mode & 0o077) {
    throw new SetupError(`${file} may be read by others, and holds secrets: chmod 600 ${file}`)
  }
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new SetupError(
      `${file} cannot be read by ${userInfo().username}: run this as its owner or as root.`,
    )
  }
}

/**
 * Parses lines of `NAME=value`, each value taken literally, including `$`, `&` and `#`; a line that begins with `#` is a
 * comment. Node's own parser would end a value at a `#`.
 *
 * @param {string} file
 * @param {string} text
 */
function parse(file, text) {
  /** @type {Map<string, string>} */
  const settings = new Map()
  for (const [index, line] of text
    .split('\n')
    .map(line => line.trim())
    .entries()) {
    if (line === '' || line.startsWith('#')) continue
    const [, name = line, value] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? []
    const place = `${file}, line ${index + 1}:`
    if (!SETTINGS.includes(name)) throw new SetupError(`${place} ${JSON.stringify(name)} is no setting.`)
    if (value === undefined) throw new SetupError(`${place} ${name} has no value: ${name}=…`)
    if (settings.has(name)) throw new SetupError(`${place} ${name} is set twice.`)
    if (/^(["']).*\1$/.test(value))
      throw new SetupError(`${place} ${name} is read as it stands: leave the quotes out.`)
    settings.set(name, value)
  }
  return settings
}

/**
 * Makes root become the owner of the data folder or, without one, of the settings file, so that nothing there ever belongs
 * to root.
 *
 * @param {string | undefined} file of settings
 */
export function becomeOwner(file) {
  if (process.getuid?.() !== 0) return
  const { DATABASE_URL, DATA_DIR, SUDO_USER = 'root' } = process.env
  const place = [DATA_DIR || (DATABASE_URL ? '' : 'data'), file].find(path => path && existsSync(path))
  if (!place) return
  const { uid, gid } = statSync(place)
  if (uid === 0) return
  // @ts-expect-error its types lack it
  process.initgroups(uid, gid)
  process.setgid?.(gid)
  process.setuid?.(uid)
  const { username, homedir } = userInfo()
  // PostgreSQL identifies who connects to its socket by USER; the game notes operators' acts under both names.
  Object.assign(process.env, { USER: username, HOME: homedir, SUDO_USER })
}

import { existsSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SETTING_NAMES } from '../server/settings.mjs'
import { SetupError } from './project.mjs'

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Fills in settings from the settings file, if there is one, unless the environment sets them.
 *
 * @param {NodeJS.ProcessEnv} env - An empty variable counts as not set.
 * @returns {string | undefined} the path of the file
 * @throws {SetupError} when there are two files, when other users may read the file, or when a line is not a setting
 */
export function loadSettings(env = process.env, checkout = CHECKOUT, system = '/etc/taps.env') {
  const former = join(checkout, 'taps.env')
  if (existsSync(former)) throw new SetupError(`${former} is no longer read; rename it to .env`)
  const [file, other] = [join(checkout, '.env'), system].filter(path => existsSync(path))
  if (other) throw new SetupError(`There are two settings files, ${file} and ${other}: keep one.`)
  if (!file) return undefined
  for (const [name, value] of parse(file, read(file))) env[name] ||= value
  return file
}

/** @param {string} file */
function read(file) {
  if (statSync(file).mode & 0o077) {
    throw new SetupError(`${file} is readable by other users and contains secrets: chmod 600 ${file}`)
  }
  return readFileSync(file, 'utf8')
}

/**
 * Parses lines of `NAME=value`, with literal values; a line that begins with `#` is a comment. Node's own
 * parser would end a value at a `#`.
 *
 * @param {string} file
 * @param {string} text
 */
function parse(file, text) {
  /** @type {Map<string, string>} */
  const settings = new Map()
  for (const [index, line] of text.split('\n').entries()) {
    const [, name = line.trim(), value] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    // Skips the variables of Docker Compose and compose.yaml, because Compose reads the same file.
    if (/^(#|COMPOSE_|POSTGRES_PASSWORD$|$)/.test(name)) continue
    const problem = problemOf(name, value, settings.has(name))
    if (problem) throw new SetupError(`${file}, line ${index + 1}: ${problem}`)
    settings.set(name, value ?? '')
  }
  return settings
}

/**
 * @param {string} name
 * @param {string | undefined} value
 * @param {boolean} isSet
 */
function problemOf(name, value, isSet) {
  if (!SETTING_NAMES.includes(name)) return `${JSON.stringify(name)} is not a setting.`
  if (value === undefined) return `${name} has no value: ${name}=…`
  if (isSet) return `${name} is set twice.`
  return /^(["']).*\1$/.test(value) && `${name} is read literally: remove the quotes.`
}

/**
 * Switches from root to the owner of the data folder, or else of the settings file. New files then belong to
 * that owner instead of root.
 *
 * @param {string | undefined} file - The settings file.
 */
export function becomeOwner(file) {
  if (process.getuid?.() !== 0) return
  const { DATABASE_URL, DATA_DIR, SUDO_USER = 'root' } = process.env
  const place = [DATA_DIR || (DATABASE_URL ? '' : 'data'), file].find(path => path && existsSync(path))
  if (!place) return
  const { uid, gid } = statSync(place)
  if (uid === 0) return
  joinGroups(uid, gid)
  process.setgid?.(gid)
  process.setuid?.(uid)
  const { username, homedir } = currentUser(uid)
  // Sets USER, the driver's default role, and SUDO_USER, which appears in the record of operators' actions.
  Object.assign(process.env, { USER: username, HOME: homedir, SUDO_USER })
}

/**
 * @param {number} uid - May have no name here, such as the ID of a container's user.
 * @param {number} gid
 */
function joinGroups(uid, gid) {
  try {
    // @ts-expect-error Node's types lack this function
    process.initgroups(uid, gid)
  } catch {
    process.setgroups?.([gid])
  }
}

/** @param {number} uid - The ID of the current user. */
function currentUser(uid) {
  try {
    return userInfo()
  } catch {
    return { username: `${uid}`, homedir: '/' }
  }
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What of a service's unit file decides how it runs. */
export interface Unit {
  readonly user: string
  readonly groups: readonly string[]
  readonly environmentFile: string
  readonly environment: Readonly<Record<string, string>>
  /** Below `/var/lib` and `/run`, made for the service before it starts. */
  readonly stateDirectories: readonly string[]
  readonly runtimeDirectories: readonly string[]
  readonly workingDirectory: string
  readonly start: string
  /** Above 0. */
  readonly restartMs: number
}

/**
 * Reads a unit file and what was dropped in beside it as systemd does, as far as those of `deploy/` need it.
 *
 * @param instance what stands between `@` and `.service`; replaces `%i`
 * @throws Error for a service that would stay down, because these have to come back by themselves
 */
export async function readUnit(file: string, instance = ''): Promise<Unit> {
  const dropped = (await readdir(`${file}.d`).catch(() => [])).sort().map(name => join(`${file}.d`, name))
  const texts = await Promise.all([file, ...dropped].map(path => readFile(path, 'utf8')))
  const settings = settingsOf(texts.join('\n').replaceAll('%i', instance))
  const all = (key: string) => settings.filter(([name]) => name === key).map(([, value]) => value)
  const last = (key: string, otherwise: string) => all(key).at(-1) ?? otherwise
  const words = (key: string) => all(key).flatMap(value => value.split(' '))
  const [start = '', ...more] = all('ExecStart')
  if (more.length > 0 || start === '') throw new Error(`${file} has not exactly one ExecStart`)
  if (last('Restart', 'no') !== 'always') throw new Error(`${file} does not say Restart=always`)
  return {
    user: last('User', 'root'),
    groups: words('SupplementaryGroups'),
    environmentFile: last('EnvironmentFile', ''),
    environment: Object.fromEntries(all('Environment').map(pair)),
    stateDirectories: words('StateDirectory'),
    runtimeDirectories: words('RuntimeDirectory'),
    workingDirectory: last('WorkingDirectory', '/'),
    start,
    restartMs: Number(last('RestartSec', '0.1')) * 1_000,
  }
}

/** The lines of a file with one NAME=value a line, as `EnvironmentFile` reads them. */
export function readEnvironment(text: string): Record<string, string> {
  return Object.fromEntries(settingsOf(text).map(([name, value]) => [name, value.replace(/^"(.*)"$/, '$1')]))
}

/**
 * The words of a command, with the `${…}` of each filled in.
 *
 * @throws Error for a variable that is not there, of which systemd would make an empty one, and for quotes, which these do not use
 */
export function expand(command: string, environment: Readonly<Record<string, string>>): string[] {
  if (/["']/.test(command)) throw new Error(`Quotes are not read here: ${command}`)
  return command.split(/\s+/).map(word =>
    word.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = environment[name]
      if (value === undefined) throw new Error(`${name} is not set, in ${command}`)
      return value
    }),
  )
}

function settingsOf(text: string): (readonly [string, string])[] {
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n')
  return lines.filter(line => /^\w+=/.test(line)).map(pair)
}

function pair(line: string): readonly [string, string] {
  const place = line.indexOf('=')
  return [line.slice(0, place), line.slice(place + 1).trim()]
}

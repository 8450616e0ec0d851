import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from '../../lib/start-error.ts'

/** Accounts that systems have and that own nothing of value, best first. */
const SPARE_USERS = ['postgres', 'nobody']

/** PostgreSQL refuses uid 0; inside a user namespace root is shown to it as this one. */
const NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']

/** The account that PostgreSQL runs under. */
export interface Account {
  /** Who owns its files, as seen from outside a namespace. */
  readonly uid: number
  readonly gid: number
  /** What goes before the program. */
  readonly prefix: readonly string[]
}

/** What to add when the account has no right to something. */
export function rightsHint({ uid }: Account, complaint: string): string {
  if (!/permission denied|EACCES/i.test(complaint)) return ''
  return `; user ${uid}, who runs PostgreSQL, must be able to reach DATA_DIR and node_modules`
}

/**
 * Chooses the account: the server's own; for root one that PostgreSQL accepts.
 *
 * @param home where the cluster is or will be; an existing one keeps its owner
 * @throws StartError when root has no account to give
 */
export async function chooseAccount(home: string): Promise<Account> {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  if (uid !== 0) return { uid, gid, prefix: [] }
  const owner = await stat(home).catch(() => null)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, prefix: [] }
  if (await namespacesWork()) return { uid, gid, prefix: NAMESPACE }
  const spare = owner ? null : await spareUser()
  if (spare) return { ...spare, prefix: [] }
  throw new StartError(
    `PostgreSQL does not run as root and user namespaces are forbidden here: start as an ordinary user ` +
      `(who owns DATA_DIR ${home}), or set DATABASE_URL`,
  )
}

async function namespacesWork(): Promise<boolean> {
  const [program = '', ...options] = NAMESPACE
  return promisify(execFile)(program, [...options, 'true']).then(
    () => true,
    () => false,
  )
}

async function spareUser(): Promise<{ uid: number; gid: number } | null> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map(line => line.split(':'))
  for (const name of SPARE_USERS) {
    const [, , uid = '', gid = ''] = lines.find(([user]) => user === name) ?? []
    if (/^\d+$/.test(uid) && /^\d+$/.test(gid)) return { uid: Number(uid), gid: Number(gid) }
  }
  return null
}

/** Starts a program under the account, in a clean environment: no PG* variable of the user's reaches it. */
export function spawnAs(
  account: Account,
  program: string,
  parameters: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const [command = program, ...rest] = [...account.prefix, program, ...parameters]
  const { PATH = '/usr/bin:/bin' } = process.env
  const other = account.uid !== process.geteuid?.()
  return spawn(command, rest, {
    ...options,
    env: { PATH, LC_ALL: 'C' },
    ...(other ? { uid: account.uid, gid: account.gid } : {}),
  })
}

import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { openBackup, writeBackup } from '../database/backup.ts'
import { restore as restoreGame } from '../database/restore.ts'
import { loadSecret, setSecret } from '../secret.ts'
import { type Call, type Command, namedFolder } from './command.ts'
import { checkLedger } from './ledger.ts'
import { runAudited } from './operator-acts.ts'
import type { Outcome } from './output.ts'
import { withDatabase, withGame, withTemporaryPostgres } from './with-database.ts'

export const BACKUP: readonly Command[] = [
  {
    form: 'backup --verify <folder>',
    help: 'Restores a backup into a temporary PostgreSQL next to it, checks the ledger, and deletes the copy.',
    run: verify,
  },
  {
    form: 'backup [folder]',
    help: 'Backs the game up into a new folder, by default backups/taps-<time> in the checkout or in DATA_DIR.',
    run: backUp,
  },
  {
    form: 'restore <folder>',
    help: 'Restores a backup into a data folder or database that contains no game.',
    run: restore,
  },
]

async function backUp(call: Call, name?: string): Promise<Outcome> {
  // Some file systems allow no colons in names.
  const now = new Date().toISOString().replaceAll(':', '-')
  const place = await defaultPlace(call.env.dataDir)
  const folder = name ? namedFolder(name) : join(place, `backups/taps-${now}`)
  const noted = await withGame(call, async client => {
    await writeBackup(client, folder, await loadSecret(call.env))
    // Ignores a failed entry in `operator_acts`, because a full or read-only database must not fail the backup.
    return runAudited(client, { act: 'backup', detail: folder }).catch(() => undefined)
  })
  const lines = [`The backup is in ${folder}. It contains the secret of the game: keep it private.`]
  if (!name && place === call.env.dataDir)
    lines.push('Copy the backup elsewhere: losing DATA_DIR or its volume would lose the backup too.')
  if (!noted)
    lines.push('The backup could not be recorded in the game, so ./taps doctor and /metrics do not show it.')
  return { ok: true, lines }
}

/** Returns the checkout, or the data folder when the checkout is read-only, as in a container. */
async function defaultPlace(dataDir: string): Promise<string> {
  const checkout = process.cwd()
  const backups = join(checkout, 'backups')
  const target = existsSync(backups) ? backups : checkout
  return access(target, constants.W_OK).then(
    () => checkout,
    () => dataDir,
  )
}

async function verify(_: Call, name: string): Promise<Outcome> {
  const folder = namedFolder(name)
  const backup = await openBackup(folder)
  const check = await withTemporaryPostgres(folder, async client => {
    await restoreGame(client, backup, async () => undefined)
    return checkLedger(client)
  })
  return ending(check, `The backup ${folder} can be restored`)
}

async function restore(call: Call, name: string): Promise<Outcome> {
  const folder = namedFolder(name)
  const backup = await openBackup(folder)
  const check = await withDatabase(call, async client => {
    await restoreGame(client, backup, secret => setSecret(call.env, secret))
    return checkLedger(client)
  })
  const ended = 'All sessions have ended. Users log in again, with the passwords of the time of the backup.'
  return ending({ ...check, lines: [...check.lines, ended] }, `The backup ${folder} is restored`)
}

function ending({ ok, lines }: Outcome, result: string): Outcome {
  return { ok, lines: [...lines, ok ? `${result}.` : `${result}, but its ledger is out of balance.`] }
}

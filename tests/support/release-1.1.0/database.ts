import { cp, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ClientBase } from 'pg'
import type { Folders } from '../../../server/database/migrate.ts'
import { migrate } from '../migrate.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const OLD_FUNCTION = fileURLToPath(new URL('record_attempts.sql', import.meta.url))

/** What this release has and 1.1.0 had not. */
const NEWER = [
  'migrations/0009_player_records.sql',
  'migrations/0010_taken_back.sql',
  'functions/last_attempt.sql',
  'functions/record_batch.sql',
]

/** Makes an empty database the game of a node of 1.1.0, as far as attempts are concerned. */
export async function migrateTo110(client: ClientBase): Promise<void> {
  const folder = await temporaryFolder('taps-release-1.1.0-')
  try {
    await cp('sql', folder, { recursive: true })
    for (const file of NEWER) await rm(`${folder}/${file}`)
    await cp(OLD_FUNCTION, `${folder}/functions/record_attempts.sql`)
    const folders: Folders = { migrations: `${folder}/migrations`, functions: `${folder}/functions` }
    await migrate(client, folders, 8)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The statement that each node of 1.1.0 keeps prepared. */
export function statementOf110(): string {
  const parameters = Array.from({ length: 12 }, (_, place) => `$${place + 1}`)
  return `select * from record_attempts(${parameters.join(', ')})`
}

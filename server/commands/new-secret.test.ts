import { expect, test } from 'vitest'
import { toUrl } from '../../tests/support/command.ts'
import { runInProcess } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'
import { deriveKeys } from '../lib/keys.ts'
import { NEW_SECRET } from './new-secret.ts'

const world = openWorld()
const SECRET = 'another secret of at least 32 characters'

const newSecret = (...options: string[]) =>
  runInProcess([NEW_SECRET], ['new-secret', ...options], {
    DATABASE_URL: toUrl(world.database.connection),
    SECRET,
  })

async function adopts(): Promise<boolean> {
  const [row] = await world.sql<{ fingerprint: Buffer }>('select fingerprint from game_secret')
  return row?.fingerprint.equals(deriveKeys(SECRET).fingerprint) === true
}

test('`./taps new-secret` keeps the passwords of a game of an earlier release, unless its secret is lost', async () => {
  await world.sql('update game_secret set password_key = null')
  await expect(newSecret()).rejects.toThrow('Start this game once with its old secret')
  await expect(newSecret('--last')).rejects.toThrow('Unknown option --last')
  expect(await adopts()).toBe(false)
  expect((await newSecret('--lost')).lines[0]).toContain('No password works any more')
  expect(await adopts()).toBe(true)
})

import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { Client } from '../../tests/support/client.ts'
import { withClient } from '../../tests/support/connect.ts'
import { startGame, TEST_SECRET } from '../../tests/support/game.ts'
import { folderOf, HIDDEN, type Person, readCast } from '../../tests/support/releases.ts'
import { checkLedger } from '../game/ledger.ts'
import { openBackup } from './backup.ts'
import { RELEASE } from './migrate.ts'
import type { Connection } from './pool.ts'
import { restore } from './restore.ts'

const places = openPlaces()

/** All before this one, and this one once it is released. */
const RELEASED = Array.from({ length: RELEASE }, (_, place) => place + 1).filter(
  release => release < RELEASE || existsSync(folderOf(release).backup),
)

/** The game that a release has made, as this release takes it over. */
async function takeOver(release: number): Promise<Connection> {
  const connection = await places.emptyDatabase()
  const backup = await openBackup(folderOf(release).backup)
  await withClient(connection, client =>
    restore(client, backup, async secret => expect(secret).toBe(TEST_SECRET)),
  )
  return connection
}

async function expectSound(connection: Connection): Promise<void> {
  const { sound, lines } = await withClient(connection, checkLedger)
  expect(sound, lines.join('\n')).toBe(true)
}

test.each(RELEASED)('the data of release %i is played on by this one, and both laws hold', async release => {
  expect(existsSync(folderOf(release).backup), 'CONTRIBUTING.md says how to keep it').toBe(true)
  const { guest, steady, owner } = await readCast(release)
  const connection = await takeOver(release)
  await expectSound(connection)
  const game = await startGame(connection)
  onTestFinished(game.close)
  const browser = ({ cookies }: Person) => {
    const client = new Client(game.url)
    for (const [name, value] of Object.entries(cookies)) client.cookies.set(name, value)
    return client
  }

  // Signs in, has what was held, claims it, plays and wins more.
  const home = new Client(game.url)
  const { status, body } = await home.login(owner.name, owner.password)
  expect([status, body.user.taps_balance, body.prize?.taps]).toEqual([200, owner.balance, owner.held])
  expect((await home.post('/api/claim')).body).toMatchObject({ taps: owner.held })
  const won = (await home.play(body.round, -30)).body.attempt.won_taps ?? 0
  expect(won).toBeGreaterThan(0)
  await home.post('/api/claim')
  expect((await home.session()).user?.taps_balance).toBe(owner.balance + owner.held + won)

  // Is still that guest, and brings along what is still held.
  const back = browser(guest)
  const { prize, round } = await back.session()
  expect((await back.get<{ attempts: unknown[] }>('/api/attempts/mine')).body.attempts).toHaveLength(3)
  expect((await back.play(round, 500)).status).toBe(201)
  const signedUp = await back.createAccount('Late Owner', 'another long password')
  expect([signedUp.status, signedUp.body.prize?.taps]).toEqual([201, prize?.taps])

  // Stays flagged, and the name stays hidden.
  const script = browser(steady)
  expect((await script.play((await script.session()).round, 0)).body.attempt.won_taps).toBeNull()
  const stranger = new Client(game.url)
  await stranger.play((await stranger.session()).round, 700, HIDDEN)
  const feed = await stranger.get<{ attempts: { username: string }[] }>('/api/attempts')
  expect(feed.body.attempts.map(({ username }) => username)).not.toContain(HIDDEN)
  await expectSound(connection)
})

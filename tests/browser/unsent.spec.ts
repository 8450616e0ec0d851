import type { Round, Start } from '../../contract/api.ts'
import type { Player } from '../support/page-player.ts'
import { expect, LONG, test } from './test.ts'

const KEPT = 'Your attempt is kept here and sent as soon as the server answers.'
const AWAY = /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/

/** 11 minutes: a round counts for 10. */
const LATER = 'const now = Date.now; Date.now = () => now() + 11 * 60_000'
const LATE = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LATER)}`,
  // A node that is so far from the database's clock takes no rounds otherwise.
  CLOCK_TOLERANCE_MS: '1200000',
}

async function expectResult(player: Player, difference: string): Promise<void> {
  await expect(player.region('Result').getByText(difference, { exact: true })).toBeVisible()
}

test('an attempt stopped without a network shows its result, is kept, and is sent when the network is back', async ({
  player,
  complaints,
}) => {
  complaints.expect(/net::ERR_INTERNET_DISCONNECTED/)
  const pool = await player.pool()
  await player.start()
  await player.page.context().setOffline(true)
  await player.stop(420)
  await expectResult(player, '0.420s')
  await expect(player.page.getByText(KEPT)).toBeVisible()
  await expect(player.startButton).toBeDisabled()

  await player.page.context().setOffline(false)
  await expect(player.startButton).toBeEnabled()
  await expect(player.page.getByText(KEPT)).toBeHidden()
  await expect(player.attempts.first()).toContainText('+0.420 s')
  await player.expectPool(pool + 1)
})

test('a round that begins and ends without a network still counts, and can win', async ({
  player,
  complaints,
}) => {
  complaints.expect(/net::ERR_INTERNET_DISCONNECTED/)
  await player.page.context().setOffline(true)
  await player.start()
  await player.stop(15)
  await expectResult(player, '0.015s')
  await expect(player.page.getByText(KEPT)).toBeVisible()
  await player.page.context().setOffline(false)
  await expect(player.wonHeading).toBeVisible()
})

test('an unsent attempt outlives a reload and a restart of the server, once', async ({
  visit,
  ownServer,
  complaints,
}) => {
  complaints.expect(AWAY)
  const player = await visit({ baseURL: ownServer.url })
  await player.open()
  await player.start()
  await ownServer.halt()
  await player.stop(-333)
  await expectResult(player, '0.333s')

  await player.page.goto('about:blank')
  await ownServer.restart()
  await player.open()
  await expectResult(player, '0.333s')
  await expect(player.attempts).toHaveCount(1)
  await expect(player.attempts).toContainText('−0.333 s')
  await player.expectPool(1)
  await player.page.reload()
  await player.expectPool(1)
})

test(
  'an attempt of a round already played elsewhere is dropped with one plain line',
  LONG,
  async ({ player, complaints }) => {
    complaints.expect(/409 \(Conflict\)/)
    const { request } = player.page.context()
    const session = await request.get('/api/session')
    const { round }: { round: Round } = await session.json()
    const pool = await player.pool()
    await player.start()
    const started = await request.post('/api/rounds', { data: { round: round.token } })
    const { start }: Start = await started.json()
    const data = { start, username: 'Elsewhere', actual_time: 9.5 }
    expect((await request.post('/api/attempts', { data })).status()).toBe(201)

    await player.stop(200)
    await expect(player.page.getByText('This round was already played')).toBeVisible()
    await player.expectPool(pool + 1)
    await player.play(210)
    await player.expectPool(pool + 2)
  },
)

test(
  'an attempt that comes too late is dropped with one plain line',
  LONG,
  async ({ visit, ownServer, complaints }) => {
    complaints.expect(AWAY)
    complaints.expect(/410 \(Gone\)/)
    const player = await visit({ baseURL: ownServer.url })
    await player.open()
    const started = player.page.waitForResponse('**/api/rounds')
    await player.start()
    await started
    await ownServer.restart(LATE)
    await player.stop(30)
    await expect(player.page.getByText('This round was started too long ago to count')).toBeVisible({
      timeout: 30_000,
    })
    await player.expectPool(0)
    await player.play(210)
    await player.expectPool(1)
  },
)

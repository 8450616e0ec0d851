import { describe, expect, onTestFinished, test } from 'vitest'
import type { Recorded, Today } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { Answer } from '../../tests/support/client.ts'
import { rounds, startedAt } from '../../tests/support/forgery.ts'
import { until } from '../../tests/support/until.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Plays a round whose Stop comes before its time has passed on the server. */
async function playTooEarly(client: CheckedClient, differenceMs: number): Promise<Answer<Recorded>> {
  const { round } = await client.session()
  const start = startedAt(round, Date.now() + 3_600_000)
  return client.stop({ start, target_time: round.target_time }, differenceMs)
}

async function playHand(client: CheckedClient, differencesMs: readonly number[], name?: string) {
  for (const differenceMs of differencesMs) {
    expect((await client.play(differenceMs, name)).body.verified).toBe(true)
  }
}

async function playerOf(client: CheckedClient): Promise<string> {
  return rounds.readRound((await client.session()).round.token).playerId
}

async function readToday(): Promise<Today> {
  return (await world.newcomer().get<Today>('/api/today')).body
}

/** Returns the row of this name. */
async function rowOf(name: string) {
  return (await readToday()).today.find(({ username }) => username === name)
}

/** Returns the rows of `hands` of a player, oldest day first. */
function handsOf(player: string) {
  return world.sql<{ day: string; sum: number; attempt_id: number }>(
    'select day::text, sum, attempt_id from hands where player = $1 order by day',
    [player],
  )
}

const playedOn = (player: string, day: string) =>
  world.sql('update hands set day = $2 where player = $1', [player, day])

describe('a hand', () => {
  test('counts after its fifth round, with the mean of the differences in whole milliseconds', async () => {
    const guest = world.newcomer()
    await playHand(guest, [-20, 30, 200, -100], 'Counter')
    expect(await rowOf('Counter')).toBeUndefined()
    await playHand(guest, [63], 'Counter')
    expect(await rowOf('Counter')).toEqual({ username: 'Counter', is_guest: true, average: 0.083 })
  })

  test('does not count with an unverified round, and the next hand counts again', async () => {
    const guest = world.newcomer()
    await playHand(guest, [1, 1], 'Hasty')
    expect((await playTooEarly(guest, 1)).body.verified).toBe(false)
    await playHand(guest, [1, 1], 'Hasty')
    expect(await rowOf('Hasty')).toBeUndefined()
    await playHand(guest, [10, 10, 10, 10], 'Hasty')
    expect((await playTooEarly(guest, 1)).body.verified).toBe(false)
    expect(await rowOf('Hasty')).toBeUndefined()
    await playHand(guest, [200, 200, 200, 200, 210], 'Hasty')
    expect(await rowOf('Hasty')).toMatchObject({ average: 0.202 })
  })

  test('replaces the one before only when it is better', async () => {
    const guest = world.newcomer()
    const player = await playerOf(guest)
    await playHand(guest, [50, 50, 50, 50, 50])
    const first = await handsOf(player)
    expect(first).toMatchObject([{ sum: 250 }])
    await playHand(guest, [-50, 50, 50, 50, 50])
    await playHand(guest, [50, 50, 50, 50, 51])
    expect(await handsOf(player)).toEqual(first)
    await playHand(guest, [50, 50, 50, 50, -49])
    const [better] = await handsOf(player)
    expect(better).toMatchObject({ day: first[0]?.day, sum: 249 })
    expect(better?.attempt_id).toBeGreaterThan(first[0]?.attempt_id ?? 0)
  })

  test('does not count when one of its rounds is missing, as after a restore', async () => {
    const guest = world.newcomer()
    const player = await playerOf(guest)
    await playHand(guest, [50, 50, 50])
    await world.sql('update attempts set round = 4 where player = $1 and round = 3', [player])
    await guest.session()
    await playHand(guest, [50])
    expect(await world.sql('select round from attempts where player = $1', [player])).toContainEqual({
      round: 5,
    })
    expect(await handsOf(player)).toEqual([])
  })

  test('counts with a win in its fifth round', async () => {
    const guest = world.newcomer()
    await playHand(guest, [500, 500, 500, 500, 0], 'Late Winner')
    expect(await rowOf('Late Winner')).toMatchObject({ average: 0.4 })
  })

  test('counts once for a user who plays on two devices', async () => {
    const [phone, laptop] = [world.newcomer(), world.newcomer()]
    await phone.createAccount('Two Devices', PASSWORD)
    await laptop.login('Two Devices', PASSWORD)
    for (const device of [phone, laptop, phone, laptop, phone]) {
      await device.session()
      await playHand(device, [40])
    }
    expect(await rowOf('Two Devices')).toEqual({ username: 'Two Devices', is_guest: false, average: 0.04 })
  })

  test('belongs to the UTC day of its fifth round, and to no other day', async () => {
    const guest = world.newcomer()
    const player = await playerOf(guest)
    await playHand(guest, [1, 1, 1, 1, 1], 'Night Owl')
    await playedOn(player, '2026-01-01')
    expect(await rowOf('Night Owl')).toBeUndefined()
    await playHand(guest, [90, 90, 90, 90, 90], 'Night Owl')
    expect(await rowOf('Night Owl')).toMatchObject({ average: 0.09 })
    const { day } = await readToday()
    expect(await handsOf(player)).toMatchObject([
      { day: '2026-01-01', sum: 5 },
      { day, sum: 450 },
    ])
    const [clock] = await world.sql("select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day")
    expect(clock).toEqual({ day })
  })
})

describe("today's list", () => {
  test('has the ten best players, and among equals the first', async () => {
    for (let place = 0; place < 11; place += 1) {
      await playHand(world.newcomer(), [2, 2, 2, 2, place === 9 ? 1 : 2], `Equal ${place}`)
    }
    const { today } = await readToday()
    expect(today).toHaveLength(10)
    const names = [9, 0, 1, 2, 3, 4, 5, 6, 7, 8].map(place => `Equal ${place}`)
    expect(today.map(({ username }) => username)).toEqual(names)
    await world.sql('delete from hands')
  })

  test("has a user's current name, also for a hand from before the sign-up", async () => {
    const client = world.newcomer()
    await playHand(client, [30, 30, 30, 30, 30], 'Still A Guest')
    const player = await playerOf(client)
    await client.createAccount('No Guest', PASSWORD)
    expect(await rowOf('Still A Guest')).toBeUndefined()
    expect(await rowOf('No Guest')).toEqual({ username: 'No Guest', is_guest: false, average: 0.03 })
    await world.sql("update users set username = 'Renamed' where player = $1", [player])
    expect(await rowOf('Renamed')).toMatchObject({ average: 0.03 })
  })

  test('counts a hand that began before the sign-up', async () => {
    const client = world.newcomer()
    await playHand(client, [30, 30, 30])
    await client.createAccount('Midway', PASSWORD)
    await playHand(client, [40, 40])
    expect(await rowOf('Midway')).toEqual({ username: 'Midway', is_guest: false, average: 0.034 })
  })

  test('leaves out users who are banned or deleted, and deleted guests', async () => {
    const [banned, deleted, guest] = [world.newcomer(), world.newcomer(), world.newcomer()]
    await banned.createAccount('Banned', PASSWORD)
    await deleted.createAccount('Deleted', PASSWORD)
    for (const client of [banned, deleted, guest]) await playHand(client, [60, 60, 60, 60, 60], 'Bot')
    const shown = async () => (await readToday()).today.filter(({ average }) => average === 0.06).length
    expect(await shown()).toBe(3)
    const [{ id } = { id: 0 }] = await world.sql("select id from users where username = 'Banned'")
    await world.sql('select ban_account($1)', [id])
    expect(await shown()).toBe(2)
    await deleted.post('/api/users/delete', { password: PASSWORD })
    expect(await shown()).toBe(1)
    await world.sql("select delete_player($1, null, 1, 'Deleted user')", [await playerOf(guest)])
    expect(await shown()).toBe(0)
  })

  test('reaches viewers after a hand, and within 2 s when the day changes', async () => {
    const viewer = await Viewer.open(world.game.url)
    onTestFinished(() => viewer.close())
    const guest = world.newcomer()
    const isShown = () =>
      viewer.latest('today')?.today.some(({ username }) => username === 'Last Of The Day') === true
    await playHand(guest, [70, 70, 70, 70, 70], 'Last Of The Day')
    await until('the hand', isShown)
    await playedOn(await playerOf(guest), '2026-01-02')
    const changedAt = performance.now()
    await until('the next day', () => !isShown())
    expect(performance.now() - changedAt).toBeLessThan(2_000)
  })
})

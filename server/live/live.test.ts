import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { LIVE_PARTS } from '../../contract/live.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'
import { Live } from './live.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const PATHS = {
  prize_pool: '/api/prize-pool',
  leaderboard: '/api/leaderboard',
  attempts: '/api/attempts',
} as const

const viewers: Viewer[] = []
afterEach(async () => {
  for (const viewer of viewers.splice(0)) await viewer.close()
})

/** A viewer who has everything there is. */
async function viewer(node: TestGame = world.game): Promise<Viewer> {
  const opened = await Viewer.open(node.url)
  viewers.push(opened)
  await until(() => LIVE_PARTS.every(part => opened.latest(part)))
  return opened
}

/** Plays a miss, or a win. */
async function play(node: TestGame = world.game, differenceMs = 500): Promise<number> {
  const guest = world.newcomer(node)
  const { body } = await guest.play((await guest.session()).round, differenceMs)
  return body.attempt.id
}

/** Records a miss by SQL, and says in the same commit that all parts have changed: no node paces that. */
async function announce(username: string): Promise<void> {
  await world.sql(
    `with played as (
      insert into attempts (player, round, username, target_time, actual_time, difference)
      values (gen_random_uuid(), 1, $1, 1, 2, 1)
    ), pooled as (update prize_pool set taps = taps + 1)
    select pg_notify('taps_live', 'prize_pool,leaderboard,attempts')`,
    [username],
  )
}

function until(condition: () => unknown): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: 15_000, interval: 5 })
}

/** Waits until a viewer sees this attempt first in the list. */
function sees(watcher: Viewer, attempt: number): Promise<unknown> {
  return until(() => watcher.latest('attempts')?.attempts[0]?.id === attempt)
}

/** Waits until a viewer has what the calls answer. */
async function isCurrent(watcher: Viewer): Promise<void> {
  const client = world.newcomer()
  for (const part of LIVE_PARTS) {
    const { body } = await client.get(PATHS[part])
    await vi.waitFor(() => expect(watcher.latest(part)).toEqual(body), { timeout: 15_000 })
  }
}

describe('a viewer', () => {
  test('gets all three events at once on connecting, each with the body of its GET', async () => {
    await play()
    const watcher = await viewer()
    await isCurrent(watcher)
    expect(watcher.response.status).toBe(200)
    expect(watcher.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(watcher.response.headers.get('cache-control')).toContain('no-transform')
    const another = await viewer()
    expect(another.events.map(({ part }) => part).sort()).toEqual([...LIVE_PARTS].sort())
    expect(another.arrivals).toHaveLength(1)
  })

  test('sees a miss in pool and attempts, and is sent nothing of what did not change', async () => {
    const watcher = await viewer()
    await isCurrent(watcher)
    const counts = LIVE_PARTS.map(part => watcher.count(part))
    const before = watcher.latest('prize_pool')?.taps ?? Number.NaN
    await sees(watcher, await play())
    expect(watcher.latest('prize_pool')).toMatchObject({ taps: before + 1 })
    expect(LIVE_PARTS.map(part => watcher.count(part))).toEqual(counts.map((n, i) => (i === 1 ? n : n + 1)))
  })

  test('sees an account, a win and a claim', async () => {
    const watcher = await viewer()
    const player = world.newcomer()
    const { body } = await player.createAccount('Watched', PASSWORD)
    await until(() => watcher.latest('leaderboard')?.leaderboard.some(row => row.username === 'Watched'))
    const { body: won } = await player.play(body.round, 0)
    await sees(watcher, won.attempt.id)
    const { won_taps, created_at } = won.attempt
    expect(watcher.latest('prize_pool')).toEqual({
      taps: 0,
      last_win: { username: 'Watched', won_taps, created_at },
    })
    expect(watcher.latest('attempts')?.attempts[0]).toEqual(won.attempt)
    await player.post('/api/claim')
    await until(() => watcher.latest('attempts')?.attempts[0]?.claimed)
    const { body: board } = await player.get('/api/leaderboard')
    expect(watcher.latest('leaderboard')).toEqual(board)
  })

  test('sees a prize go back to the pool when nobody plays', async () => {
    const watcher = await viewer()
    const attempt = await play(world.game, 0)
    await sees(watcher, attempt)
    await world.sql(
      'update holds set held_until = now() where player = (select player from attempts where id = $1)',
      [attempt],
    )
    await until(() => (watcher.latest('prize_pool')?.taps ?? 0) > 0)
    await isCurrent(watcher)
  })

  test('is sent nothing when what was announced reads the same as before', async () => {
    const watcher = await viewer()
    await isCurrent(watcher)
    const boards = watcher.count('leaderboard')
    await world.sql("select pg_notify('taps_live', 'prize_pool,leaderboard,attempts')")
    await sees(watcher, await play())
    expect(watcher.count('leaderboard')).toBe(boards)
  })

  test('is written to at most 10 times a second under a flood, and ends up with the last of it', async () => {
    const watcher = await viewer()
    await isCurrent(watcher)
    const from = watcher.arrivals.length
    const startedAt = performance.now()
    let announced = 0
    while (performance.now() - startedAt < 1_500) {
      await announce(`Flood ${announced}`)
      announced += 1
    }
    await isCurrent(watcher)
    expect(watcher.latest('attempts')?.attempts[0]?.username).toBe(`Flood ${announced - 1}`)
    const written = watcher.arrivals.length - from
    // One at once, then one per tick; the last one may have been on its way.
    const seconds = (performance.now() - startedAt) / 1_000
    expect(written).toBeLessThanOrEqual(seconds * 10 + 2)
    expect(written).toBeGreaterThan(2)
    expect(announced).toBeGreaterThan(2 * written)
  })

  test('is forgotten when it leaves', async () => {
    const { live } = world.game.services
    await until(() => live.viewers === 0)
    const watcher = await viewer()
    expect(live.viewers).toBe(1)
    await watcher.close()
    await until(() => live.viewers === 0)
  })
})

describe('two nodes on one database', () => {
  test('show their viewers what happens on the other', async () => {
    const node = await world.addNode()
    const [here, there] = await Promise.all([viewer(), viewer(node)])
    for (const from of [world.game, node]) {
      const attempt = await play(from)
      await Promise.all([sees(here, attempt), sees(there, attempt)])
    }
    expect(there.latest('prize_pool')).toEqual(here.latest('prize_pool'))
  })

  test('catch up when the connection that listens was lost', async () => {
    const node = await world.addNode()
    const there = await viewer(node)
    const lost = await world.sql<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
       where query = 'listen taps_live' and datname = current_database()`,
    )
    expect(lost.length).toBeGreaterThanOrEqual(2)
    const left = 'select from pg_stat_activity where pid = any($1)'
    await until(async () => (await world.sql(left, [lost.map(({ pid }) => pid)])).length === 0)
    const attempt = await play()
    await sees(there, attempt)
    await isCurrent(there)
  })
})

describe('what the database reads for a change', () => {
  const CHANGES = 3

  /** How often each part is read on a node from now on. */
  function countReads(node: TestGame): Map<string, number> {
    const counts = new Map<string, number>()
    const { database } = node.services
    const query: (...asked: unknown[]) => unknown = database.query.bind(database)
    vi.spyOn(database, 'query').mockImplementation((...asked: unknown[]) => {
      const [what] = asked
      const name = typeof what === 'object' && what !== null && 'name' in what ? `${what.name}` : 'other'
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return query(...asked)
    })
    return counts
  }

  test.each([1, 50])('is each part once on each node, for %i viewers', async count => {
    const nodes = [await world.addNode(), await world.addNode()]
    const watchers = await Promise.all(
      nodes.flatMap(node => Array.from({ length: count }, () => viewer(node))),
    )
    const counts = nodes.map(countReads)
    for (let change = 0; change < CHANGES; change += 1) {
      await announce(`Change ${change} of ${count}`)
      const seen = ({ events }: Viewer) =>
        events.some(
          ({ body }) => 'attempts' in body && body.attempts[0]?.username === `Change ${change} of ${count}`,
        )
      await until(() => watchers.every(seen))
    }
    for (const reads of counts) {
      expect(['prize_pool', 'leaderboard', 'recent_attempts'].map(name => reads.get(name))).toEqual([
        CHANGES,
        CHANGES,
        CHANGES,
      ])
    }
    for (const node of nodes) await node.close()
  })
})

/** A node, and what it warns of. */
async function logged() {
  const log: string[] = []
  const node = await world.addNode({ logLevel: 'warn' }, { write: (line: string) => void log.push(line) })
  return { log, node }
}

test('a part that could not be read holds none of the others back for good', async () => {
  const { log, node } = await logged()
  const watcher = await viewer(node)
  await world.sql('alter table users rename column taps_balance to away')
  try {
    await announce('By Hand')
    await until(() => log.join('').includes('the live parts could not be read'))
  } finally {
    await world.sql('alter table users rename column away to taps_balance')
  }
  await isCurrent(watcher)
  expect(watcher.latest('attempts')?.attempts[0]?.username).toBe('By Hand')
})

test('a node that is told to stop while it starts warns nobody', async () => {
  const { log, node } = await logged()
  await node.close()
  const { database, pubsub } = node.services
  await new Live(database, pubsub, node.app.log).open()
  expect(log).toEqual([])
})

test('streams end when the server closes, which then closes at once', async () => {
  const node = await world.addNode()
  const watchers = await Promise.all([viewer(node), viewer(node), viewer(node)])
  const startedAt = performance.now()
  await node.close()
  await Promise.all(watchers.map(({ ended }) => ended))
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

describe('a viewer whose network has stalled', () => {
  /** A real response to a client who does not read, beside the node's own streams. */
  async function stalled(node: TestGame) {
    const responses: ServerResponse[] = []
    const server = createServer((_, response) => {
      responses.push(response)
      node.services.live.add(response, {})
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = connect(port, '127.0.0.1').pause()
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => responses.length > 0)
    const [response] = responses
    if (!response) throw new Error('There is no response')
    onTestFinished(() => {
      client.destroy()
      server.closeAllConnections()
      server.close()
    })
    return {
      client,
      response,
      /** Writes until the system takes no more and this many bytes wait. */
      async fill(bytes: number) {
        const piece = `:${'x'.repeat(8_000)}\n\n`
        while (response.writableLength < bytes) {
          response.write(piece)
          await turn()
        }
      },
    }
  }

  test('skips what it cannot take, and gets everything as it is once it can', async () => {
    const watcher = await viewer()
    const { client, response, fill } = await stalled(world.game)
    await fill(64 * 1_024 + 1)
    const waiting = response.writableLength
    await sees(watcher, await play())
    await sees(watcher, await play())
    expect(response.writableLength).toBe(waiting)

    let text = ''
    client.on('data', chunk => {
      text += chunk.toString()
    })
    client.resume()
    await until(() => response.writableLength === 0)
    text = ''
    const attempt = await play()
    await until(() => text.includes(`"id":${attempt}`))
    for (const part of LIVE_PARTS) expect(text).toContain(`event: ${part}\n`)
  })

  test('does no harm when its stream has to end', async () => {
    const relay = await DatabaseRelay.open(world.database.connection)
    onTestFinished(() => relay.cut())
    await relay.mend()
    const node = await world.addNode({}, undefined, relay.connection)
    const { response, fill } = await stalled(node)
    await fill(16_000)
    const errors: Error[] = []
    response.on('error', error => errors.push(error))
    await relay.cut()
    await until(() => response.destroyed)
    await relay.mend()
    await until(() => node.services.live.ready)
    const watcher = await viewer(node)
    await sees(watcher, await play(node))
    expect(errors).toEqual([])
    await node.close()
  })
})

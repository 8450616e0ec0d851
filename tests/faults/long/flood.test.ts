import { expect, test, vi } from 'vitest'
import { Crowd } from '../../support/crowd.ts'
import { LedgerWatch } from '../../support/ledger-watch.ts'
import { memoryOf, openFilesOf } from '../../support/process.ts'
import { Random } from '../../support/random.ts'
import { report, SEED } from '../../support/size.ts'
import { ownStage } from '../../support/stage.ts'
import { expectNothingLost } from '../../support/verdict.ts'
import { Peer } from '../../support/wire.ts'

const PLAYERS = 6
/** Two rounds a second each, so four calls: below the limit of a player. */
const PAUSE_MS = 500
/** How many attempts must be recorded during each kind of flood. */
const MEANWHILE = 30
const PEERS = 1_000
/** Few enough that the system accepts each connection at once. */
const AT_ONCE = 20
/** Below the limit of connections of one address. */
const OF_ADDRESS = 50
/** The server ends a connection on which nothing moves for 45 seconds. */
const END = { timeout: 300_000, interval: 50 }
/** Open files may differ by this many: connections to the database and of players come and go. */
const FILES_MORE = 40
/** How much more heap a second flood may need than the first, MB: its requests, were they kept, would need more. */
const MORE_MB = 100

const POST = 'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const MUCH = 'GET /api/docs/static/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n'

/** Each of these once made the server wait, buffer or open files without limit. */
const KINDS: Readonly<Record<string, (peer: Peer) => void>> = {
  'say nothing': () => undefined,
  'stop in the midst of the headers': peer => peer.say('GET /api/session HTTP/1.1\r\nhost: x\r\n'),
  'stop in the midst of a body': peer => peer.say(`${POST}content-length: 8000\r\n\r\n{`),
  'send a body in chunks of one byte': peer =>
    peer.say(`${POST}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(2_000)}`),
  'ask for 2,000 files and take nothing': peer => {
    peer.ignore()
    peer.say(MUCH.repeat(2_000))
  },
}

const stage = ownStage({ RATE_LIMITS: 'on', PRIZE_HOLD_MINUTES: '600' })

/** Opens each connection from another address, so that the limits of one address do not end the flood. */
async function open(use: (peer: Peer) => void): Promise<Peer[]> {
  const peers: Peer[] = []
  while (peers.length < PEERS) {
    const from = `127.0.1.${1 + Math.floor(peers.length / OF_ADDRESS)}`
    const some = await Promise.all(Array.from({ length: AT_ONCE }, () => Peer.open(stage.node.url, from)))
    for (const peer of some) use(peer)
    peers.push(...some)
  }
  return peers
}

test('a node that is flooded plays on with everybody else, and has its files and memory back afterwards', async () => {
  const random = new Random(SEED)
  const crowd = new Crowd({ players: PLAYERS, random, url: () => stage.node.url, pauseMs: PAUSE_MS })
  const watch = new LedgerWatch(stage.auditor, PAUSE_MS)
  await crowd.more(PLAYERS)
  const { pid } = stage.node
  const files = await openFilesOf(pid)
  const isOver = async () => (await openFilesOf(pid)) < files + FILES_MORE
  for (const [kind, use] of Object.entries(KINDS)) {
    const peers = await open(use)
    await crowd.more(MEANWHILE)
    expect({ kind, wrongs: crowd.wrongs }).toEqual({ kind, wrongs: [] })
    await vi.waitUntil(isOver, END)
    for (const { statuses } of peers) expect(statuses.filter(status => status >= 500)).toEqual([])
    for (const peer of peers) peer.leave()
  }
  // A process seldom gives memory back, so the test is whether a second flood needs more.
  const { nowMb } = await memoryOf(pid)
  for (const use of Object.values(KINDS)) {
    const peers = await open(use)
    await crowd.more(MEANWHILE)
    for (const peer of peers) peer.leave()
    await vi.waitUntil(isOver, END)
  }
  expect((await memoryOf(pid)).nowMb).toBeLessThan(nowMb + MORE_MB)
  report('a flood', await expectNothingLost(crowd, watch, stage.auditor))
})

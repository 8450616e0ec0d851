import { Client } from '../support/client.ts'
import { PASSWORD } from '../support/page-player.ts'

/** The leaderboard in the screenshots. */
const ACCOUNTS = [
  { name: 'Brave Otter 7', taps: 1_284 },
  { name: 'mira', taps: 402 },
  { name: 'tick_tock', taps: 371 },
  { name: 'Quiet Comet 88', taps: 140 },
  { name: 'halfsecond', taps: 112 },
  { name: 'Dunja', taps: 98 },
  { name: 'kestrel', taps: 77 },
  { name: 'pendulum', taps: 31 },
  { name: 'ola', taps: 26 },
  { name: 'Lucky Fern 19', taps: 14 },
]

const POOL = 47
const LAST_WIN = { name: 'mira', taps: 98 }

/** The feed in the screenshots, oldest first; differences are signed, in ms. */
const FEED = [
  { name: 'Sunny Wren 61', difference: 640 },
  { name: 'Bold Finch 5', difference: 1_590 },
  { name: 'Swift Lynx 300', difference: -412 },
  { name: 'Calm Maple 230', difference: 268 },
  { name: 'Witty Newt 12', difference: -171 },
]

/** Creates the accounts of the leaderboard with their balances. */
export async function fillLeaderboard(url: string): Promise<void> {
  for (const { name, taps } of ACCOUNTS) {
    await fillPool(url, taps - 1)
    const client = new Client(url)
    await client.createAccount(name, PASSWORD)
    await client.play(0)
    await client.post('/api/claim')
  }
}

/** Plays rounds until pool, last win and feed match the screenshots. */
export async function setScene(url: string): Promise<void> {
  await playRounds(new Client(url), [0])
  await fillPool(url, LAST_WIN.taps - 1)
  await playRounds(new Client(url), [0], LAST_WIN.name)
  await fillPool(url, POOL - FEED.length)
  for (const { name, difference } of FEED) await playRounds(new Client(url), [difference], name)
}

/** Plays one round for each signed difference in ms, in order. */
export async function playRounds(
  client: Client,
  differences: readonly number[],
  name?: string,
): Promise<void> {
  for (const difference of differences) await client.play(difference, name)
}

async function fillPool(url: string, taps: number): Promise<void> {
  await playRounds(new Client(url), Array<number>(taps).fill(400))
}

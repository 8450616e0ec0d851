import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { migrate } from '../../server/database/migrate.ts'
import { BATCH_SIZE } from '../../server/game/recorder.ts'
import { withClient } from '../../tests/support/connect.ts'
import { type Act, actsOf, type Hoard, inVain, loadDueHolds, loadHoard } from '../../tests/support/hoard.ts'
import { RoundsStage } from '../rounds/stage.ts'
import type { Figure, Part } from '../section.ts'

const MANY = 1_000_000
/** Each run is rolled back, so that the next finds the same rows. */
const RUNS = 15
/** How many holds have expired at once: more than one call of `expire_holds` returns. */
const DUE = 5_000

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    try {
      const { connection } = await stage.makeDatabase('locks')
      const figures = await withClient(connection, async client => {
        await migrate(client)
        const [one, many] = [await loadHoard(client, 1), await loadHoard(client, MANY)]
        const due = await loadDueHolds(client, DUE)
        await client.query('vacuum analyze')
        await client.query('checkpoint')
        return [...(await compareHoards(client, one, many)), ...(await measureBatches(client, due))]
      })
      return { title: 'How long an act keeps the pool locked', figures }
    } finally {
      await stage.close()
    }
  },
}

async function compareHoards(client: Client, one: Hoard, many: Hoard): Promise<Figure[]> {
  const figures: Figure[] = []
  const ofOne = actsOf(one)
  for (const [place, act] of actsOf(many).entries()) {
    const few = ofOne[place] ?? act
    figures.push({
      name: `${act.name}, ms`,
      ours: await timesOf(client, act),
      wanted: '≤ 10',
      beside: { name: 'with one prize', values: await timesOf(client, few) },
    })
  }
  return figures
}

async function measureBatches(client: Client, due: readonly string[]): Promise<Figure[]> {
  const fresh = Array.from({ length: BATCH_SIZE }, () => randomUUID())
  return [
    figure(
      'a full batch of attempts',
      await timesOf(
        client,
        batchOf(fresh, place => place % 4 === 0),
      ),
    ),
    figure(
      'a full batch of winners whose holds have expired',
      await timesOf(
        client,
        batchOf(due.slice(0, BATCH_SIZE), () => true),
      ),
    ),
    figure(
      'expired holds, as many as are returned at once',
      await timesOf(client, { name: 'expiry', text: 'select expire_holds()', values: [] }),
    ),
  ]
}

function figure(name: string, ours: readonly number[]): Figure {
  return { name: `${name}, ms`, ours, wanted: '≤ 10' }
}

function batchOf(players: readonly string[], wins: (place: number) => boolean): Act {
  const of = <Value>(value: Value) => players.map(() => value)
  return {
    name: 'batch',
    text: 'select * from record_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    values: [
      players,
      of(2),
      of(null),
      of('A Guest'),
      of(2_000),
      of(2_050),
      of(null),
      players.map((_, place) => wins(place)),
      1,
      '15 minutes',
    ],
  }
}

/** How long an act takes in each run, in ms. */
async function timesOf(client: Client, act: Act): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    await inVain(client, async () => {
      const began = performance.now()
      await client.query({ name: act.name, text: act.text, values: [...act.values] })
      times.push(performance.now() - began)
    })
  }
  return times
}

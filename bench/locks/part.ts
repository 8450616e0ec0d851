import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { CLAIMS_AT_ONCE } from '../../server/game/claims.ts'
import { BATCH_SIZE } from '../../server/game/recorder.ts'
import { withClient } from '../../tests/support/connect.ts'
import { type Act, actsOf, inVain, loadDueHolds, loadHoard } from '../../tests/support/hoard.ts'
import { migrate } from '../../tests/support/migrate.ts'
import type { Figure, Part } from '../section.ts'
import { onStage } from '../stage.ts'

const PRIZES = 1_000_000
/** Each run is rolled back, so that the next finds the same rows. */
const RUNS = 15
/** How many holds have expired at once: more than one call of `expire_holds` returns. */
const DUE = 5_000

export const part: Part = {
  run: () =>
    onStage(({ connection }) =>
      withClient(connection, async client => {
        await migrate(client)
        const hoard = await loadHoard(client, PRIZES)
        const due = await loadDueHolds(client, DUE)
        const winners = await loadWinners(client, due.slice(-CLAIMS_AT_ONCE))
        await client.query('vacuum analyze')
        await client.query('checkpoint')
        const fresh = Array.from({ length: BATCH_SIZE }, () => randomUUID())
        const acts: readonly Act[] = [
          ...actsOf(hoard),
          {
            name: 'a full batch of claims',
            text: 'select count(*) from unnest($1::bigint[]) as id cross join lateral claim_taps(id)',
            values: [winners],
          },
          batchOf('a full batch of attempts', fresh, place => place % 4 === 0),
          batchOf('a full batch of winners whose holds have expired', due.slice(0, BATCH_SIZE), () => true),
          {
            name: 'expired holds, as many as are returned at once',
            text: 'select expire_holds()',
            values: [],
          },
        ]
        const figures: Figure[] = []
        for (const act of acts) {
          figures.push({ name: `${act.name}, ms`, ours: await timesOf(client, act), wanted: '≤ 10' })
        }
        return { title: 'How long an act keeps the pool locked', figures }
      }),
    ),
}

/** Makes accounts of players who hold something. */
async function loadWinners(client: Client, players: readonly string[]): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `insert into users (username, username_key, password_hash, player)
    select 'Winner ' || place, 'Winner ' || place, 'hash', player
    from unnest($1::uuid[]) with ordinality as won (player, place) returning id`,
    [players],
  )
  return rows.map(({ id }) => id)
}

function batchOf(name: string, players: readonly string[], wins: (place: number) => boolean): Act {
  const of = <Value>(value: Value) => players.map(() => value)
  return {
    name,
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
async function timesOf(client: Client, { text, values }: Act): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    await inVain(client, async () => {
      const began = performance.now()
      await client.query({ name: text, text, values: [...values] })
      times.push(performance.now() - began)
    })
  }
  return times
}

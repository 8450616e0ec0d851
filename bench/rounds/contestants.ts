import { withClient } from '../../tests/support/connect.ts'
import type { ServerNode } from '../../tests/support/node.ts'
import { installRivals, RIVALS } from '../install.ts'
import { Audience } from '../live/audience.ts'
import type { Load, LoadRun } from '../load/load.ts'
import { requireAll } from './audit.ts'
import type { RoundsStage } from './stage.ts'

/** A server under load, whatever it is. */
export interface Contestant {
  readonly name: string
  readonly node: ServerNode
  readonly load: Load
  /** Looks whether a run's attempts are all in the table; throws when not. */
  check(run: LoadRun): Promise<void>
  /** Lets so many watch; they stay. */
  watch(viewers: number): Promise<void>
}

/** TAPS as `npm start` starts it, but for the limits and the clock. */
export async function ours(stage: RoundsStage): Promise<Contestant> {
  const { connection, settings } = await stage.makeDatabase('ours')
  const node = await stage.startGame(settings)
  return {
    name: 'TAPS',
    node,
    load: await stage.gather({ seats: 'taps', url: node.url }),
    check: ({ acknowledged }) => requireAll(connection, acknowledged),
    async watch(viewers) {
      const audience = new Audience()
      stage.onClose(() => audience.close())
      await audience.open(node.url, viewers)
    },
  }
}

/** The same server with a transaction for each attempt. */
export async function oneByOne(stage: RoundsStage): Promise<Contestant> {
  const { connection, settings } = await stage.makeDatabase('one_by_one')
  const node = await stage.startProgram(new URL('one-by-one.ts', import.meta.url), settings)
  return {
    name: 'TAPS, one transaction each',
    node,
    load: await stage.gather({ seats: 'taps', url: node.url }),
    check: ({ acknowledged }) => requireAll(connection, acknowledged),
    watch: nobody,
  }
}

/** `node:http` with the bytes of the game at `origin`. */
export async function bare(stage: RoundsStage, origin: string): Promise<Contestant> {
  const node = await stage.startProgram(new URL('bare.ts', import.meta.url), { ORIGIN: origin })
  return {
    name: 'bare `node:http`',
    node,
    load: await stage.gather({ seats: 'taps', url: node.url }),
    check: async () => undefined,
    watch: nobody,
  }
}

/** The specification's own design on Feathers. */
export async function feathers(stage: RoundsStage): Promise<Contestant> {
  await installRivals()
  const { connection, settings } = await stage.makeDatabase('feathers')
  const node = await stage.startProgram(new URL('feathers.mjs', RIVALS), settings)
  const count = () =>
    withClient(connection, async client => {
      const { rows } = await client.query<{ count: number }>('select count(*) from attempts')
      return rows[0]?.count ?? 0
    })
  let expected = 0
  return {
    name: 'Feathers, one INSERT each',
    node,
    load: await stage.gather({ seats: 'feathers', url: node.url }),
    async check({ rounds }) {
      expected += rounds
      const found = await count()
      if (found !== expected) throw new Error(`Feathers has ${found} attempts, ${expected} were acknowledged`)
    },
    async watch(viewers) {
      const settings = { ORIGIN: node.url, VIEWERS: `${viewers}` }
      await stage.startProgram(new URL('feathers-viewers.mjs', RIVALS), settings)
    },
  }
}

async function nobody(): Promise<void> {
  throw new Error('Nobody watches this one')
}

import type { ServerNode } from '../../tests/support/node.ts'
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
}

/** TAPS as `npm start` starts it, but for the limits and the clock. */
export async function ours(stage: RoundsStage): Promise<Contestant> {
  const { connection, settings } = await stage.makeDatabase('ours')
  const node = await stage.startGame(settings)
  return {
    name: 'TAPS',
    node,
    load: await stage.gather({ url: node.url }),
    check: ({ acknowledged }) => requireAll(connection, acknowledged),
  }
}

/** The same server with a transaction for each attempt. */
export async function oneByOne(stage: RoundsStage): Promise<Contestant> {
  const { connection, settings } = await stage.makeDatabase('one_by_one')
  const node = await stage.startProgram(new URL('one-by-one.ts', import.meta.url), settings)
  return {
    name: 'TAPS, one transaction each',
    node,
    load: await stage.gather({ url: node.url }),
    check: ({ acknowledged }) => requireAll(connection, acknowledged),
  }
}

/** `node:http` with the bytes of the game at `origin`. */
export async function bare(stage: RoundsStage, origin: string): Promise<Contestant> {
  const node = await stage.startProgram(new URL('bare.ts', import.meta.url), { ORIGIN: origin })
  return {
    name: 'bare `node:http`',
    node,
    load: await stage.gather({ url: node.url }),
    check: async () => undefined,
  }
}

import { memoryOf } from '../../tests/support/process.ts'
import { alternate, type Measured, type Subject } from '../alternate.ts'
import { Helper } from '../helper.ts'
import type { Load } from '../load/load.ts'
import { requireAll } from '../rounds/audit.ts'
import { RoundsStage } from '../rounds/stage.ts'
import type { Part } from '../section.ts'
import type { Attack, Outcome } from './attacker.ts'
import { peopleFigures } from './people.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

const SECONDS = 6
const REPEATS = 3
const PLAYERS = 40
/** Of all players together, a second: what 40 people play, within what one address and one player may do. */
const ROUNDS = 10
const ATTACKER = '127.0.0.7'

type Name = 'p50' | 'p99' | 'max' | 'mb'

/** A server with every limit on, people who play, and an attacker at another address. */
interface Scene {
  readonly load: Load
  readonly attacker: Helper<Attack, Outcome>
  readonly url: string
  readonly pid: number
  /** Throws when an attempt is lost. */
  check(acknowledged: Parameters<typeof requireAll>[1]): Promise<void>
}

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    const attacker = new Helper<Attack, Outcome>(new URL('attacker.ts', import.meta.url))
    try {
      const { connection, settings } = await stage.makeDatabase('attack')
      const { url, pid } = await stage.startGame({ ...settings, RATE_LIMITS: 'on' })
      const load = await stage.gather({ url, players: PLAYERS, connections: PLAYERS })
      const check = (acknowledged: Parameters<typeof requireAll>[1]) => requireAll(connection, acknowledged)
      const scene: Scene = { load, attacker, url, pid, check }
      const subjects = [underAttack(scene, null), ...SCENARIOS.map(scenario => underAttack(scene, scenario))]
      const [quiet, ...attacked] = await alternate(subjects, REPEATS)
      const limit = { name: 'quiet', values: quiet?.p50 ?? [] }
      return {
        title: 'Playing while one client goes far beyond its limits',
        figures: [
          ...attacked.map((run, n) => ({
            name: `p50 of a Start or Stop, ms: ${SCENARIOS[n]?.name}`,
            ours: run.p50,
            wanted: '≤ 250',
            limit,
          })),
          { name: 'memory of the server after each round of attacks, MB', ours: attacked.at(-1)?.mb ?? [] },
          ...(await peopleFigures(stage)),
        ],
        notes: [
          `${PLAYERS} players at 127.0.0.1 play ${ROUNDS} rounds a second on a fixed schedule, ${SECONDS} s a run, with every limit
on; meanwhile a client at ${ATTACKER}, in a process of its own, sends without a pause and opens each connection anew that
the server ends. A run in which an attempt is refused or lost gives no figure. The server, its PostgreSQL, the players and
the attacker share the machine.`,
        ],
      }
    } finally {
      await attacker.close()
      await stage.close()
    }
  },
}

function underAttack(scene: Scene, scenario: Scenario | null): Subject<Name> {
  return {
    name: scenario?.name ?? 'quiet',
    async measure() {
      const { load, attacker, url, pid, check } = scene
      const attack = scenario && attacker.do({ ...scenario, url, from: ATTACKER, seconds: SECONDS })
      const [{ calls, acknowledged }, outcome] = await Promise.all([load.steady(ROUNDS, SECONDS), attack])
      await check(acknowledged)
      if (outcome) console.log(`    the attacker: ${JSON.stringify(outcome)}`)
      const { nowMb } = await memoryOf(pid)
      return { p50: calls.p50, p99: calls.p99, max: calls.max, mb: nowMb } satisfies Measured<Name>
    },
  }
}

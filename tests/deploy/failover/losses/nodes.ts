import type { Machine } from '../machine.ts'
import { all, kill, type Loss, type Mend, one } from './loss.ts'

/** The node is started anew with a clock that is an hour ahead, and plays on. */
const AHEAD = '/etc/systemd/system/taps.service.d/zz-ahead.conf'
const SET_AHEAD = `printf '[Service]\\nEnvironment=NODE_OPTIONS=--import=/srv/taps/tests/deploy/failover/clock-ahead.mjs\\n' >${AHEAD}`
async function anew(machine: Machine): Promise<void> {
  await machine.stop('taps')
  await machine.start('taps')
}

/** Nodes of the game. */
export const NODES = {
  'TAPS node killed': { strike: ({ machines }) => kill(one(machines), 'taps') },
  'TAPS node frozen': {
    async strike({ machines }): Promise<Mend> {
      for (const machine of one(machines)) machine.service('taps').signal('SIGSTOP')
      return async () => {
        for (const machine of one(machines)) machine.service('taps').signal('SIGCONT')
      }
    },
  },
  'TAPS node stopped': {
    async strike({ machines }): Promise<Mend> {
      await all(one(machines), machine => machine.stop('taps'))
      return () => all(one(machines), machine => machine.start('taps'))
    },
  },
  'clock of a TAPS node an hour off': {
    async strike({ machines }): Promise<Mend> {
      await all(one(machines), async machine => {
        await machine.script(SET_AHEAD)
        await anew(machine)
      })
      return () =>
        all(one(machines), async machine => {
          await machine.run('rm', AHEAD)
          await anew(machine)
        })
    },
  },
} satisfies Readonly<Record<string, Loss>>

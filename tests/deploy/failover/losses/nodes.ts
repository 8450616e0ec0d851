import type { Machine } from '../machine.ts'
import { all, kill, type Loss, type Mend, one } from './loss.ts'

/** The node is started anew with a clock that is an hour ahead, and has to say so and to take no round. */
const AHEAD = '/etc/systemd/system/taps.service.d/zz-ahead.conf'
const SET_AHEAD = `printf '[Service]\\nEnvironment=NODE_OPTIONS=--import=/srv/taps/tests/deploy/failover/clock-ahead.mjs\\n' >${AHEAD}`
const IS_REFUSED = `
  until curl --silent http://127.0.0.1:3000/readyz | grep -q 'The clock of this node'; do sleep 0.2; done
  round=$(curl --silent http://127.0.0.1:3000/api/session | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  status=$(curl --silent --output /dev/null --write-out '%{http_code}' --header 'content-type: application/json' \\
    --data "{\\"round\\":\\"$round\\"}" http://127.0.0.1:3000/api/rounds)
  test "$status" = 503`

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
        await machine.script(IS_REFUSED)
      })
      return () =>
        all(one(machines), async machine => {
          await machine.run('rm', AHEAD)
          await anew(machine)
        })
    },
  },
} satisfies Readonly<Record<string, Loss>>

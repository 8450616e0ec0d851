import { command } from '../command.ts'

/** Where we stand ourselves, among machines. */
export const DESK = '10.0.0.254'
/** The addresses from which players come to us, so that not all are sent to one node. */
const HOMES = ['10.0.0.201', '10.0.0.202', '10.0.0.203', '10.0.0.204', '10.0.0.205', '10.0.0.206']
/** The addresses that people know, of which each moves to another machine when its own is gone. */
export const ENTRIES = ['10.0.0.101', '10.0.0.102', '10.0.0.103'] as const

/** Makes the switch that all machines are at. It goes away with the namespace that `run.sh` made for us. */
export async function openNetwork(): Promise<void> {
  await command('ip', 'link', 'set', 'lo', 'up')
  await command('ip', 'link', 'add', 'switch', 'type', 'bridge')
  await command('ip', 'link', 'set', 'switch', 'up')
  for (const address of [DESK, ...HOMES]) {
    await command('ip', 'address', 'add', `${address}/24`, 'dev', 'switch')
  }
  for (const entry of ENTRIES) await giveHomes(entry)
}

/** Each connection to an entry comes from any one of the homes. */
async function giveHomes(entry: string): Promise<void> {
  for (const [place, home] of HOMES.entries()) {
    const chance = ['-m', 'statistic', '--mode', 'random', '--probability', `${1 / (HOMES.length - place)}`]
    const rule = ['-A', 'POSTROUTING', '-d', entry, ...chance, '-j', 'SNAT', '--to-source', home]
    await command('iptables', '-t', 'nat', ...rule)
  }
}

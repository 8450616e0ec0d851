import { command } from '../command.ts'

/** The address of the tests themselves. */
export const OUTSIDE_ADDRESS = '10.0.0.254'
/** The addresses of players. HAProxy chooses a node by address, so several addresses reach all nodes. */
const CLIENT_ADDRESSES = ['10.0.0.201', '10.0.0.202', '10.0.0.203', '10.0.0.204', '10.0.0.205', '10.0.0.206']
/** The public addresses. An address moves to another machine when its machine is lost. */
export const VIRTUAL_IPS = ['10.0.0.101', '10.0.0.102', '10.0.0.103'] as const

/** Creates the switch between the machines. The switch disappears with the namespace of `run.sh`. */
export async function openNetwork(): Promise<void> {
  await command('ip', 'link', 'set', 'lo', 'up')
  await command('ip', 'link', 'add', 'switch', 'type', 'bridge')
  await command('ip', 'link', 'set', 'switch', 'up')
  for (const address of [OUTSIDE_ADDRESS, ...CLIENT_ADDRESSES]) {
    await command('ip', 'address', 'add', `${address}/24`, 'dev', 'switch')
  }
  for (const ip of VIRTUAL_IPS) await spreadClients(ip)
}

/** Gives each connection to a public address a random client address. */
async function spreadClients(ip: string): Promise<void> {
  for (const [place, client] of CLIENT_ADDRESSES.entries()) {
    const chance = `-m statistic --mode random --probability ${1 / (CLIENT_ADDRESSES.length - place)}`
    const rule = `-t nat -A POSTROUTING -d ${ip} ${chance} -j SNAT --to-source ${client}`
    await command('iptables', ...rule.split(' '))
  }
}

import { down, kill, LOCK_MS, type Loss, lasting, SHOWS_MS } from './loss.ts'

/** What stands between people, nodes and databases: etcd and HAProxy. */
export const PARTS = {
  'one etcd lost': { strike: ({ machines }) => lasting(SHOWS_MS, down(machines.slice(0, 1), 'taps-etcd')) },
  // The leader leads on because both others say that they follow it.
  'two etcd lost': { strike: ({ machines }) => lasting(LOCK_MS, down(machines.slice(1), 'taps-etcd')) },
  'all etcd lost': { strike: ({ machines }) => lasting(LOCK_MS, down(machines, 'taps-etcd')) },
  'HAProxy to the database killed': { strike: ({ machines }) => kill(machines, 'taps-haproxy@database') },
  'HAProxy to the game killed': { strike: ({ machines }) => kill(machines, 'taps-haproxy@game') },
} satisfies Readonly<Record<string, Loss>>

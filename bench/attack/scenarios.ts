import type { Attack } from './attacker.ts'

/** One kind of client far beyond its limits. */
export interface Scenario extends Pick<Attack, 'connections' | 'pipelined' | 'path' | 'chunks'> {
  readonly name: string
}

export const SCENARIOS: readonly Scenario[] = [
  { name: '100 connections × 50 pipelined GET /healthz', connections: 100, pipelined: 50, path: '/healthz' },
  { name: '200 connections × 50 pipelined GET /', connections: 200, pipelined: 50, path: '/' },
  { name: '1,000 connections, GET / on each', connections: 1_000, pipelined: 1, path: '/' },
  {
    name: '100 connections, bodies of 20,000 chunks of one byte',
    connections: 100,
    pipelined: 1,
    path: '/api/login',
    chunks: 20_000,
  },
]

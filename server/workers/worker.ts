import { createApp } from '../app.ts'
import { readEnv } from '../env.ts'
import { closeOnSignal, outliveReaders } from '../lib/signals.ts'
import { StartError } from '../lib/start-error.ts'
import { type Node, openNode } from '../node.ts'
import { Colleagues } from './colleagues.ts'

/** Waits for the primary's order, then is one node of the game. */
async function start(colleagues: Colleagues): Promise<Node> {
  const { means, port } = await colleagues.order()
  const env = { ...readEnv(process.env), port }
  return openNode(env, means, createApp(env), colleagues)
}

// A worker whose primary is gone ends by itself: node:cluster sees to that.
outliveReaders()
const colleagues = new Colleagues()
const running = start(colleagues)
closeOnSignal(running)
try {
  const { address } = await running
  await colleagues.tell({ kind: 'serving', address })
} catch (error) {
  const words = error instanceof StartError ? error.message : error instanceof Error ? error.stack : error
  await colleagues.tell({ kind: 'failed', message: String(words) })
  process.exit(1)
}

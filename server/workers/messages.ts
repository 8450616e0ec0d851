import type { Used } from '../limits/limits.ts'
import type { Means } from '../node.ts'

/** What was used of the limits in one process, for the others to count as well. */
interface UsedMessage {
  readonly kind: 'used'
  readonly used: readonly Used[]
}

/** What the primary tells a worker. */
export type ToWorker =
  | { readonly kind: 'serve'; readonly means: Means; readonly port: number }
  | UsedMessage
  /** Asks for the worker's own figures. */
  | { readonly kind: 'report' }
  /** The figures of all workers, as text. */
  | { readonly kind: 'figures'; readonly text: string }

/** What a worker tells the primary. */
export type ToPrimary =
  /** It listens, and waits to be told what to do. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'serving'; readonly address: string }
  /** It cannot start, and ends. */
  | { readonly kind: 'failed'; readonly message: string }
  | UsedMessage
  | { readonly kind: 'report'; readonly figures: object[] }
  /** Asks for the figures of all workers. */
  | { readonly kind: 'figures' }

/** Tells our messages from those of others on the same channel, which belongs to one server and its workers. */
export function isOurs(message: unknown): message is { readonly kind: string } {
  return typeof message === 'object' && message !== null && 'kind' in message
}

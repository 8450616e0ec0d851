import type { Registry } from 'prom-client'
import type { Limiter } from '../limits/limiter.ts'

/** What a process of a server has in common with the others of the same server. */
export interface Crew {
  /** From now on the limits count together, and our figures are among those of all; returns what ends that. */
  join(limits: Limiter, own: Registry): () => void
  /** The figures of all together, in the text form of Prometheus. */
  figures(own: Registry): Promise<string>
}

/** A server of one process. */
export const ALONE: Crew = {
  join: () => () => undefined,
  figures: own => own.metrics(),
}

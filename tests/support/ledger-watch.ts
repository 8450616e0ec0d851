import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../../server/play/ledger.ts'
import type { Auditor } from './audit.ts'

/** Compares both sides of the ledger repeatedly until `stop` is called, each time in one statement. */
export class LedgerWatch {
  readonly #auditor: Auditor
  readonly #done: Promise<void>
  #stopped = false
  reads = 0
  readonly differences: Ledger[] = []

  constructor(auditor: Auditor, pauseMs: number) {
    this.#auditor = auditor
    this.#done = this.#watch(pauseMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#done
  }

  async #watch(pauseMs: number): Promise<void> {
    // A failing test closes the auditor but not this watch.
    while (!this.#stopped && !this.#auditor.isClosed) {
      const difference = await this.#auditor.unbalanced()
      if (difference) this.differences.push(difference)
      this.reads += 1
      await sleep(pauseMs)
    }
  }
}

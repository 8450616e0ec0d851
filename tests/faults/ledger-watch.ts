import { setTimeout as sleep } from 'node:timers/promises'
import { isBalanced, type Ledger, readLedger } from '../../server/commands/ledger.ts'
import type { Auditor } from '../support/audit.ts'

const PAUSE_MS = 20

/** Compares both sides of the ledger repeatedly until `stop` is called, each time in one statement. */
export class LedgerWatch {
  readonly #auditor: Auditor
  readonly #done: Promise<void>
  readonly #differences: Ledger[] = []
  #stopped = false

  constructor(auditor: Auditor) {
    this.#auditor = auditor
    this.#done = this.#watch()
  }

  /** @throws Error with all differences */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#done
    if (this.#differences.length > 0) throw new Error(`Unbalanced: ${JSON.stringify(this.#differences)}`)
  }

  async #watch(): Promise<void> {
    // A failing test closes the auditor but not this watch.
    while (!this.#stopped && !this.#auditor.isClosed) {
      const ledger = await this.#auditor.read(readLedger)
      if (!isBalanced(ledger)) this.#differences.push(ledger)
      await sleep(PAUSE_MS)
    }
  }
}

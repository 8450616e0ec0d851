import { randomInt } from 'node:crypto'

const { TESTS, FAULTS_SEED } = process.env

/** Whether this is a long run, which sets TESTS=all. */
export const LONG = TESTS === 'all'

export function sized<Amount>(short: Amount, long: Amount): Amount {
  return LONG ? long : short
}

/**
 * The seed of all random choices. `FAULTS_SEED` repeats a failed run; otherwise long runs choose a new seed,
 * and short runs share one seed.
 */
export const SEED = Number(FAULTS_SEED || sized(1, randomInt(2 ** 31)))

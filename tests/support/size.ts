import { randomInt } from 'node:crypto'

const { TESTS, FAULTS_SEED } = process.env

/** TESTS=all makes a long run; otherwise the run is short. */
export const LONG = TESTS === 'all'

export function sized<Amount>(short: Amount, long: Amount): Amount {
  return LONG ? long : short
}

/**
 * `FAULTS_SEED` repeats the choices of a failed run. A long run takes a new seed, a short one always the
 * same.
 */
export const SEED = Number(FAULTS_SEED || sized(1, randomInt(2 ** 31)))

export function report(test: string, figures: Readonly<Record<string, string | number>>): void {
  if (!LONG) return
  const line = Object.entries({ ...figures, seed: SEED }).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`${test}: ${line.join(', ')}\n`)
}

import { randomInt } from 'node:crypto'

const { TESTS, FAULTS_SEED } = process.env

/** TESTS=all makes a long run; otherwise it is the short one of `npm test`. */
export const LONG = TESTS === 'all'

/** The size of something in a short and in a long run. */
export function sized<Amount>(short: Amount, long: Amount): Amount {
  return LONG ? long : short
}

/**
 * The seed: `FAULTS_SEED` repeats the choices of a failed run. A long run takes a new one, a short run always the same,
 * with which it sees each fault that was ever found.
 */
export const SEED = Number(FAULTS_SEED || sized(1, randomInt(2 ** 31)))

/** Prints what a test of a long run did, in one line. */
export function report(test: string, figures: Readonly<Record<string, string | number>>): void {
  if (!LONG) return
  const line = Object.entries({ ...figures, seed: SEED }).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`${test}: ${line.join(', ')}\n`)
}

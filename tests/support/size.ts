import { randomInt } from 'node:crypto'

const { TESTS, FAULTS_SEED } = process.env

/** With TESTS=all a run is the full proof; without, the short one inside `npm test`. */
export const LONG = TESTS === 'all'

/** How much of something a run does. */
export function sized<Amount>(short: Amount, long: Amount): Amount {
  return LONG ? long : short
}

/**
 * What `FAULTS_SEED` says, to see a failed run's choices again. A long run has a new one, a short run always the same:
 * at its length each fault that was ever found is seen with it.
 */
export const SEED = Number(FAULTS_SEED || sized(1, randomInt(2 ** 31)))

/** Prints what a test of a long run did, in one line. */
export function report(test: string, figures: Readonly<Record<string, string | number>>): void {
  if (!LONG) return
  const line = Object.entries({ ...figures, seed: SEED }).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`${test}: ${line.join(', ')}\n`)
}

import type { Series } from './section.ts'

type Measured<Name extends string> = Readonly<Record<Name, number>>

export interface Subject<Name extends string> {
  readonly name: string
  measure(): Promise<Measured<Name>>
}

/** The number of runs. A meaningful median needs at least three runs. */
const { REPEATS = '3' } = process.env
const repeats = Number(REPEATS)

/**
 * Measures the subjects in turn, so that other load on the machine affects all subjects alike.
 *
 * @returns the figures of each subject by name, in the order of `subjects`
 */
export async function alternate<Name extends string>(
  subjects: readonly Subject<Name>[],
): Promise<Readonly<Record<Name, Series>>[]> {
  const runs = subjects.map((): Measured<Name>[] => [])
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const [place, subject] of subjects.entries()) {
      const measured = await subject.measure()
      runs[place]?.push(measured)
      console.log(`  ${repeat + 1}/${repeats} ${subject.name}: ${line(measured)}`)
    }
  }
  return runs.map(toSeries)
}

function line(measured: Measured<string>): string {
  return Object.entries(measured)
    .map(([name, value]) => `${name} ${value.toLocaleString('en-GB', { maximumFractionDigits: 2 })}`)
    .join(', ')
}

function toSeries<Name extends string>(runs: readonly Measured<Name>[]): Readonly<Record<Name, Series>> {
  const names = Object.keys(runs[0] ?? {}) as Name[]
  const series = names.map(name => [name, runs.map(run => run[name])])
  return Object.fromEntries(series)
}

import type { Series } from './section.ts'

type Measured = Readonly<Record<string, number>>
/** What to measure, by the name that is printed; each measurement returns its figures by name. */
type Subjects = Readonly<Record<string, () => Promise<Measured>>>
type Runs<Of extends Subjects> = {
  readonly [Name in keyof Of]: { readonly [Figure in keyof Awaited<ReturnType<Of[Name]>>]: Series }
}

/** The number of runs. A meaningful median needs at least three runs. */
const { REPEATS = '3' } = process.env
const repeats = Number(REPEATS)

/** Measures the subjects in turn, so that other load on the machine affects all subjects alike. */
export async function alternate<Of extends Subjects>(subjects: Of): Promise<Runs<Of>> {
  const runs: Record<string, Record<string, number[]>> = {}
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    for (const [name, measure] of Object.entries(subjects)) {
      const measured = await measure()
      console.log(`  ${repeat}/${repeats} ${name}: ${line(measured)}`)
      const series = runs[name] ?? {}
      for (const [figure, value] of Object.entries(measured))
        series[figure] = [...(series[figure] ?? []), value]
      runs[name] = series
    }
  }
  return runs as Runs<Of>
}

function line(measured: Measured): string {
  return Object.entries(measured)
    .map(([name, value]) => `${name} ${value.toLocaleString('en-GB', { maximumFractionDigits: 2 })}`)
    .join(', ')
}

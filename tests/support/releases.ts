import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../../server/lib/root.ts'

/** The data that each released version has made: a folder each, with a backup and those who played. */
const RELEASES = new URL('tests/support/releases/', ROOT)

/** The name that the operator has hidden. */
export const HIDDEN = 'Rude Name'

/** Somebody's browser as it was. */
export interface Person {
  readonly cookies: Readonly<Record<string, string>>
}

/** Who has played. */
export interface Cast {
  /** Whose win was never claimed. */
  readonly guest: Person
  /** Who was flagged. */
  readonly steady: Person
  readonly owner: Person & {
    readonly name: string
    readonly password: string
    /** TAPS claimed. */
    readonly balance: number
    /** TAPS won and not claimed. */
    readonly held: number
  }
}

/** Where the data of a release is. */
export function folderOf(release: number): { readonly backup: string; readonly cast: string } {
  return {
    backup: fileURLToPath(new URL(`${release}/backup`, RELEASES)),
    cast: fileURLToPath(new URL(`${release}/cast.json`, RELEASES)),
  }
}

/** Who has played with a release. */
export async function readCast(release: number): Promise<Cast> {
  return JSON.parse(await readFile(folderOf(release).cast, 'utf8'))
}

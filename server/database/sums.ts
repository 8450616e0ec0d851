import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** The file in a folder that says what all others hold, in the form that `sha256sum -c` reads. */
export const SUMS = 'SHA256SUMS'

/** The sums of all other files of a folder: what is missing or was added shows as well as what was changed. */
export async function sumsOf(folder: string): Promise<string> {
  const names = await namesIn(folder)
  return (await Promise.all(names.map(name => sumOf(folder, name)))).join('')
}

/**
 * Reads every byte of a folder.
 *
 * @returns the files that are not what its sums say: changed, missing or added
 * @throws the system's error when it or its sums cannot be read
 */
export async function alteredFiles(folder: string): Promise<string[]> {
  const written = linesOf(await readSums(folder))
  const found = linesOf(await sumsOf(folder))
  const altered = [
    ...written.filter(line => !found.includes(line)),
    ...found.filter(line => !written.includes(line)),
  ]
  return [...new Set(altered.map(nameIn))]
}

/**
 * True when the files of a folder are those of its sums; what they hold is not looked at.
 *
 * @throws the system's error when it or its sums cannot be read
 */
export async function namesFit(folder: string): Promise<boolean> {
  const written = linesOf(await readSums(folder)).map(nameIn)
  return written.join('/') === (await namesIn(folder)).join('/')
}

function readSums(folder: string): Promise<string> {
  return readFile(join(folder, SUMS), 'utf8')
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(name => name !== SUMS).sort()
}

async function sumOf(folder: string, name: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(folder, name)), hash)
  return `${hash.digest('hex')}  ${name}\n`
}

/** Each with its end, by which one that was cut off differs. */
function linesOf(sums: string): string[] {
  return sums.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** The file that a line is of; in one that is none, the sums themselves are altered. */
function nameIn(line: string): string {
  return /^[0-9a-f]{64} {2}(.+)\n?$/.exec(line)?.[1] ?? SUMS
}

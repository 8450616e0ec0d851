import { createHash } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { removeOldBackups } from './old-backups.ts'

const paths = openPlaces()

const SECRET = 'the secret of this game, 32 characters or more'
const FILES = { secret: `${SECRET}\n`, 'sequences.json': '[]', 'users.copy.gz': '' }

/** A folder that was written on this day, with the sums of its files. */
async function write(place: string, name: string, day: number, files: Record<string, string> = FILES) {
  const folder = join(place, name)
  await mkdir(folder, { recursive: true })
  const sums = Object.entries(files)
    .sort()
    .map(([file, content]) => {
      return `${createHash('sha256').update(content).digest('hex')}  ${file}\n`
    })
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content)
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''))
  await utimes(join(folder, 'SHA256SUMS'), day, day)
  return folder
}

/** Backups of four days, named so that their names say nothing of their age. */
async function fourDays() {
  const place = paths.newFolder()
  const [third = '', first = '', newest = '', second = ''] = [
    await write(place, 'a', 3),
    await write(place, 'b', 1),
    await write(place, 'c', 4),
    await write(place, 'd', 2),
  ]
  return { place, first, second, third, newest }
}

describe('of the backups in a place', () => {
  test('the oldest are removed, and so many stay', async () => {
    const { place, first, second, third, newest } = await fourDays()
    expect(await removeOldBackups(newest, SECRET, 5)).toEqual({ removed: [], kept: [] })
    expect(await removeOldBackups(newest, SECRET, 4)).toEqual({ removed: [], kept: [] })
    expect(await removeOldBackups(newest, SECRET, 3)).toEqual({ removed: [first], kept: [] })
    expect(await removeOldBackups(newest, SECRET, 1)).toEqual({ removed: [third, second], kept: [] })
    expect(await readdir(place)).toEqual(['c'])
  })

  test.each<[string, (place: string) => Promise<unknown>]>([
    ['another game', place => write(place, 'old', 0, { ...FILES, secret: 'the secret of another game' })],
    ['no sums', async place => mkdir(join(place, 'old'))],
    ['a file more', async place => writeFile(join(await write(place, 'old', 0), 'notes.txt'), 'keep me')],
  ])('nothing is removed that is none of this game: %s', async (_, make) => {
    const { place, newest } = await fourDays()
    await make(place)
    expect(await removeOldBackups(newest, SECRET, 1)).toMatchObject({ kept: [] })
    expect(await readdir(place)).toEqual(['c', 'old'])
  })
})

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { describeSchema } from '../../tests/support/schema.ts'
import { openWorld } from '../../tests/support/world.ts'
import { RELEASE } from './migrate.ts'

const ACTS = 'sql/acts'

const world = openWorld()

/** `npm test -- unit server/database/schema.test.ts -u` writes it anew. */
test('the schema is the one that schema.txt describes', async () => {
  const schema = await withClient(world.database.connection, describeSchema)
  await expect(schema).toMatchFileSnapshot('schema.txt')
})

/** One line a release: its number, and what its acts add up to. */
test('acts that have changed are of a new release: RELEASE is raised, and releases.txt gets one more line', async () => {
  const files = (await readdir(ACTS)).filter(file => file.endsWith('.sql')).sort()
  const sum = createHash('sha256')
  for (const file of files) sum.update(await readFile(join(ACTS, file)))
  const releases = (await readFile(join(ACTS, 'releases.txt'), 'utf8')).trim().split('\n')
  expect(releases.map(line => Number.parseInt(line, 10))).toEqual(releases.map((_, place) => place + 1))
  expect(releases.at(-1)).toBe(`${RELEASE} ${sum.digest('hex')}`)
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'deploy/ha/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

/** A path in backticks that begins with a folder of this project. */
const PATH = /`((?:bench|contract|deploy|docs|lists|scripts|server|sql|tests|web)\/[\w./-]*)`/g

test.each(DOCUMENTS)('finds every path that %s names', document => {
  const paths = Array.from(readFileSync(document, 'utf8').matchAll(PATH), ([, path = '']) => path)
  expect(paths.filter(path => !existsSync(path))).toEqual([])
})

/** A name in backticks that a document says is in a file: `judge` in `contract/rules.ts`. */
const NAME = /`(\w+)`\s+in\s+`((?:bench|contract|scripts|server|sql|tests|web)\/[\w./-]+)`/g

test.each(DOCUMENTS)('finds every name in the file in which %s says it is', document => {
  const named = Array.from(readFileSync(document, 'utf8').matchAll(NAME))
  const wrong = named.filter(([, name = '', path = '']) => !readFileSync(path, 'utf8').includes(name))
  expect(wrong.map(([text]) => text)).toEqual([])
})

/** A link or an image within the project, without its `#fragment`. */
const LINK = /\]\((?!\w+:)([^)#\s]+)/g

test.each(DOCUMENTS)('finds the file behind every link in %s', document => {
  const links = Array.from(readFileSync(document, 'utf8').matchAll(LINK), ([, link = '']) => link)
  expect(links.filter(link => !existsSync(join(dirname(document), link)))).toEqual([])
})

/** A test file's path and, in quotes, the beginning of a test title. */
const TITLE = /`([\w./-]+\.(?:test|spec)\.ts)` "([^"]+)"/g

test('finds every test title that docs/spec-table.md quotes', () => {
  const named = Array.from(readFileSync('docs/spec-table.md', 'utf8').matchAll(TITLE))
  expect(named.length).toBeGreaterThan(0)
  for (const [, path = '', title = ''] of named) {
    expect(readFileSync(path, 'utf8').includes(`test('${title}`), `${path} "${title}"`).toBe(true)
  }
})

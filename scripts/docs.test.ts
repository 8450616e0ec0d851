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

/** A path of ours in backticks: it begins with one of our folders. */
const PATH = /`((?:bench|contract|deploy|docs|lists|scripts|server|sql|tests|web)\/[\w./-]*)`/g

test.each(DOCUMENTS)('every path that %s names is there', document => {
  const paths = Array.from(readFileSync(document, 'utf8').matchAll(PATH), ([, path = '']) => path)
  expect(paths.filter(path => !existsSync(path))).toEqual([])
})

/** A link or a picture within the project, without the heading it may lead to. */
const LINK = /\]\((?!\w+:)([^)#\s]+)/g

test.each(DOCUMENTS)('every link of %s leads to a file', document => {
  const links = Array.from(readFileSync(document, 'utf8').matchAll(LINK), ([, link = '']) => link)
  expect(links.filter(link => !existsSync(join(dirname(document), link)))).toEqual([])
})

/** The beginning of a test's title in quotes, after the path of its file. */
const TITLE = /`([\w./-]+\.(?:test|spec)\.ts)` "([^"]+)"/g

test('every test that the table of the specification names by its title is there', () => {
  const named = Array.from(readFileSync('docs/spec-table.md', 'utf8').matchAll(TITLE))
  expect(named.length).toBeGreaterThan(0)
  for (const [, path = '', title = ''] of named) {
    expect(readFileSync(path, 'utf8').includes(`test('${title}`), `${path} "${title}"`).toBe(true)
  }
})

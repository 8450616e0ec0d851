import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { expect, test } from 'vitest'

/** The order of ARCHITECTURE.md. A file may import only from its own folder and from earlier folders. */
const ORDER =
  `contract lib log.ts problem.ts limits database embedded secret.ts people play live http commands
  routes app.ts main.ts`.split(/\s+/)
const USES_FASTIFY = ['http', 'routes', 'app.ts']

const IMPORT = /(?:from|import\() ?'([^']+)'/g

const files = ['contract', 'server']
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
const imports = files.flatMap(file =>
  Array.from(readFileSync(file, 'utf8').matchAll(IMPORT), ([, target = '']) => ({ file, target })),
)

/** Returns the top folder of a file; within `server`, the subfolder or the file name. */
function entryOf(file: string): string {
  const [top = '', second = ''] = file.split(sep)
  return top === 'server' ? second : top
}

test('allows imports only from the same folder and from folders earlier in the order', () => {
  const wrong = imports.filter(({ file, target }) => {
    if (!target.startsWith('.') || target.endsWith('.mjs')) return false
    const rank = ORDER.indexOf(entryOf(join(dirname(file), target)))
    return rank === -1 || rank > ORDER.indexOf(entryOf(file))
  })
  expect(imports.length).toBeGreaterThan(0)
  expect(wrong).toEqual([])
})

test('allows imports of Fastify only in http, routes and app.ts', () => {
  const users = imports.filter(
    ({ target }) => /^@?fastify(\/|$)/.test(target) && target !== '@fastify/proxy-addr',
  )
  expect(users.filter(({ file }) => !USES_FASTIFY.includes(entryOf(file)))).toEqual([])
})

/** Returns the files of a circle that the last file of a path closes or leads to; empty without a circle. */
function circleFrom(path: readonly string[], done: Set<string>): readonly string[] {
  const file = path.at(-1) ?? ''
  const first = path.indexOf(file)
  if (first < path.length - 1) return path.slice(first)
  if (done.has(file)) return []
  for (const { target } of imports.filter(one => one.file === file && one.target.startsWith('.'))) {
    const circle = circleFrom([...path, join(dirname(file), target)], done)
    if (circle.length > 0) return circle
  }
  done.add(file)
  return []
}

test('allows no circle of imports', () => {
  const done = new Set<string>()
  const circles = files.map(file => circleFrom([file], done))
  expect(circles.find(circle => circle.length > 0)).toBeUndefined()
})

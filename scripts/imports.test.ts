import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The orders of ARCHITECTURE.md, of folders and of single files. A file may import only from its own folder and
 * from earlier entries.
 */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  server: `contract lib log.ts problem.ts limits database embedded secret.ts people play live http commands
    routes app.ts main.ts`.split(/\s+/),
  web: `contract lib messages.ts net session round modes live result feel app.ts components/hooks
    components/controls components/account components/boards components/claim components/stage
    components/page screen.tsx wall main.tsx`.split(/\s+/),
}
const USES_FASTIFY = ['http', 'routes', 'app.ts']

const IMPORT = /(?:from|import\() ?'([^']+)'/g

const files = ['contract', 'server', 'web']
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(file => /\.tsx?$/.test(file) && !/\.test\.ts$|testing/.test(file))
const imports = files.flatMap(file =>
  Array.from(readFileSync(file, 'utf8').matchAll(IMPORT), ([, target = '']) => ({ file, target })),
)

/** Returns the entry of a file in an order: its folder below `server` or `web`, or the file itself. */
function entryOf(file: string): string {
  const [top = '', ...rest] = file.split(sep)
  if (top === 'contract') return top
  const [first = '', second = ''] = rest
  return first === 'components' ? `${first}/${second}` : first
}

test.each(Object.keys(ORDERS))(
  'allows imports in %s only from the same folder and from earlier folders',
  side => {
    const order = ORDERS[side] ?? []
    const own = imports.filter(({ file }) => file.startsWith(`${side}${sep}`))
    const wrong = own.filter(({ file, target }) => {
      if (!target.startsWith('.') || !/\.tsx?$/.test(target)) return false
      const rank = order.indexOf(entryOf(join(dirname(file), target)))
      return rank === -1 || rank > order.indexOf(entryOf(file))
    })
    expect(own.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  },
)

test('allows imports of Fastify only in http, routes and app.ts of the server', () => {
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

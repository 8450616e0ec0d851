import { readdirSync, readFileSync } from 'node:fs'
import { type Node, parse } from 'acorn'
import { expect, test } from 'vitest'

const BUILT = new URL('../dist/web/', import.meta.url)

/** The scripts of the page, which run in the oldest browsers of README.md. */
const modules = readdirSync(new URL('assets/', BUILT))
  .filter(name => name.endsWith('.js'))
  .map(name => ({ name, code: read(`assets/${name}`) }))

/** The last edition of the language that Chrome 117, Firefox 121 and Safari 16.4 know whole. */
const EDITION = 2023

/** Globals and static members that one of these browsers lacks; tsconfig.web.json guards the methods. */
const TOO_NEW = `
  Array.fromAsync Object.groupBy Map.groupBy Promise.withResolvers Promise.try URL.parse URL.canParse
  AbortSignal.any ReadableStream.from RegExp.escape Error.isError Math.sumPrecise JSON.rawJSON
  Uint8Array.fromBase64 Uint8Array.fromHex Response.json Iterator.from Symbol.dispose Intl.Segmenter
  Intl.DurationFormat Iterator Temporal cookieStore requestIdleCallback scheduler navigation
  CloseWatcher Float16Array SuppressedError DisposableStack WebTransport`
  .trim()
  .split(/\s+/)

/** Names that a `typeof` in the same script guards. */
const GUARDED = ['Intl.Segmenter', 'navigation']

function read(path: string): string {
  return readFileSync(new URL(path, BUILT), 'utf8')
}

interface Found {
  readonly node: Node
  readonly isTried: boolean
}

/** Lists the nodes below `node`, with whether each is in the block of a `try`. */
function* nodesOf(node: Node, isTried = false): Generator<Found> {
  yield { node, isTried }
  for (const [key, value] of Object.entries(node)) {
    const isBlock = node.type === 'TryStatement' && key === 'block'
    for (const child of [value].flat()) {
      if (typeof child?.type === 'string') yield* nodesOf(child, isTried || isBlock)
    }
  }
}

/** The parts of a node that this test reads. */
interface Parts {
  readonly name?: string
  readonly value?: unknown
  readonly regex?: { readonly flags: string }
  readonly object?: Parts
  readonly property?: Parts
  readonly callee?: Parts
  readonly arguments?: readonly Parts[]
}

/** Returns `Object.groupBy` for such a member, and the name of an identifier. */
function nameOf({ object, property, name }: Parts): string {
  return object && property ? `${object.name}.${property.name}` : `${name}`
}

/** Returns whether a node makes an expression with the flag `v`, which Safari 16.4 refuses. */
function hasFlagV({ regex, callee, arguments: given }: Parts): boolean {
  const flags = callee?.name === 'RegExp' ? given?.[1]?.value : regex?.flags
  return String(flags ?? '').includes('v')
}

test('the script that watches the start is ES5, so that a browser of any age can say that it is too old', () => {
  expect(() => parse(read('start.js'), { ecmaVersion: 5 })).not.toThrow()
})

test.each(modules)('$name has only syntax, globals and static members of the oldest browsers', ({ code }) => {
  const found = Array.from(nodesOf(parse(code, { ecmaVersion: EDITION, sourceType: 'module' })))
  const used = found.map(({ node }) => nameOf(node as Parts))
  expect(used.filter(name => TOO_NEW.includes(name) && !GUARDED.includes(name))).toEqual([])
  for (const name of GUARDED) {
    if (used.includes(name)) expect(code).toMatch(new RegExp(`typeof ${name.replace('.', String.raw`\.`)}`))
  }
  expect(found.filter(({ node, isTried }) => !isTried && hasFlagV(node as Parts))).toEqual([])
})

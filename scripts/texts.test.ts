import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly children?: unknown
  readonly operator?: unknown
  readonly body?: unknown
  readonly [field: string]: unknown
}

/** Props that hold elements; what they are given is checked where it is written. */
const ELEMENTS = ['children', 'head', 'rest.otherWay', 'rest.wayOut']

/** The values of an expression that add nothing to the page. */
const NOTHING = ['null', 'undefined', 'true', 'false']

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Returns the nodes in the fields of a node. */
function nodesIn(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

/** Returns whether an expression may become text, which is not always the same. */
function mayBeText(expression: Node, code: string): boolean {
  const source = code.slice(expression.start, expression.end)
  if (NOTHING.includes(source) || ELEMENTS.includes(source)) return false
  const { type } = expression
  if (type === 'JSXElement' || type === 'JSXFragment') return false
  const parts = nodesIn(expression)
  // The condition is not shown; two texts take turns.
  const isChoice =
    type === 'ConditionalExpression' || (type === 'LogicalExpression' && expression.operator === '&&')
  if (isChoice) return parts.slice(1).some(part => mayBeText(part, code))
  const callback =
    type === 'CallExpression' && /\.map\($/.test(code.slice(expression.start, parts[1]?.start)) && parts[1]
  return !(callback && isNode(callback.body) && !mayBeText(callback.body, code))
}

/** Finds expressions that share their element with other children, although one of them is a text that may change. */
function findBareTexts(node: Node, code: string): string[] {
  const children = (Array.isArray(node.children) ? node.children : []).filter(isNode)
  const expressions = children.flatMap(({ type, expression }) =>
    type === 'JSXExpressionContainer' && isNode(expression) ? [expression] : [],
  )
  const shown = expressions.filter(({ type }) => type !== 'JSXEmptyExpression' && type !== 'Literal')
  const texts = children.filter(({ type, value }) => type === 'JSXText' && String(value).trim() !== '')
  const others = children.filter(({ type }) => type === 'JSXElement')
  const isShared = shown.length + texts.length + others.length > 1
  const bare = shown.filter(one => texts.length > 0 || (isShared && mayBeText(one, code)))
  return [
    ...bare.map(({ start, end }) => code.slice(start, end)),
    ...nodesIn(node).flatMap(one => findBareTexts(one, code)),
  ]
}

const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.tsx'))

test('every text of the page that changes, and every text next to a part that comes or goes, stands in an element of its own', () => {
  expect(files.length).toBeGreaterThan(30)
  const found = files.flatMap(name => {
    const code = readFileSync(join('web', name), 'utf8')
    const program: unknown = parseAst(code, { lang: 'tsx' })
    return isNode(program)
      ? findBareTexts(program, code).map(text => `${name}: ${text}`)
      : [`${name}: unreadable`]
  })
  expect(found).toEqual([])
})

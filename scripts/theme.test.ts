import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const [dark = '', light = ''] = read('web/theme.css').split('@media (prefers-color-scheme: light)')
const OTHERS = readdirSync('web', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.css') && path !== 'theme.css')
  .map(path => `web/${path}`)

/** What a style sheet says of the properties with such a name, in one line each. */
function declarations(sheet: string, property: RegExp): string[] {
  const said = sheet.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([\w-]+):\s*([^;{}]+);/g)
  return Array.from(said)
    .filter(([, name = '']) => property.test(name))
    .map(([, name, value = '']) => `${name}: ${value.replaceAll(/\s+/g, ' ')}`)
}

test('the theme has five colours: background, text, primary, secondary and accent', () => {
  expect(declarations(dark, /^--(background|text|primary|secondary|accent)$/)).toEqual([
    '--background: #100e1a',
    '--text: #f3efe6',
    '--primary: #ff6b57',
    '--secondary: #35d0ba',
    '--accent: #ffd166',
  ])
  expect(declarations(light, /^--(background|text)$/)).toEqual(['--background: #f7f3eb', '--text: #1d182b'])
})

test('gives a transition 0.3 s, ease-in-out, and no time under reduced motion', () => {
  expect(declarations(dark + light, /^--ease$/)).toEqual(['--ease: 0.3s ease-in-out', '--ease: 0s'])
})

test('gives every other movement of the theme no time under reduced motion', () => {
  const [moving, still = ''] = read('web/theme.css').split('@media (prefers-reduced-motion: reduce)')
  const names = declarations(moving ?? '', /^--/).flatMap(said => said.match(/^--[\w-]+(?=: [\d.]+s )/) ?? [])
  expect(names.length).toBeGreaterThan(9)
  for (const name of names.filter(name => name !== '--sweep')) {
    expect(declarations(still, new RegExp(`^${name}$`))).toEqual([`${name}: 0s`])
  }
})

/** The dot on its track is no transition: its 5 s, and its trail's, are set beside it, its calm steps for who wants less motion. */
const LOOP = [
  'animation: cross linear infinite',
  'animation-timing-function: steps(5, end)',
  'animation: lengthen linear infinite',
  'animation-duration: inherit',
]

describe.each(OTHERS)('%s', path => {
  test('takes every colour from the theme, and every transition', () => {
    const colours = declarations(read(path), /./).filter(said => COLOUR.test(said))
    const moves = declarations(read(path), /^(transition|animation)(-duration|-timing-function)?$/)
    expect(colours).toEqual([])
    expect(moves.filter(said => !EASED.test(said) && !LOOP.includes(said))).toEqual([])
  })
})

const COLOUR =
  /#[\da-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|[ (,](white|black|red|gold|orange)\b(?!-)/i
const EASED = /: (none|[a-z-]+ var\(--[a-z-]+\)(, [a-z-]+ var\(--[a-z-]+\))*)$/

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const theme = read('web/theme.css')
const OTHERS = readdirSync('web', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.css') && path !== 'theme.css')
  .map(path => `web/${path}`)

/** Returns the declarations whose property matches. */
function declarations(sheet: string, property: RegExp): string[] {
  const found = sheet.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([\w-]+):\s*([^;{}]+);/g)
  return Array.from(found)
    .filter(([, name = '']) => property.test(name))
    .map(([, name, value = '']) => `${name}: ${value.replaceAll(/\s+/g, ' ')}`)
}

test('defines the five theme colours: background, text, primary, secondary and accent', () => {
  expect(declarations(theme, /^--(background|text|primary|secondary|accent)$/)).toEqual([
    '--background: light-dark(#f7f3eb, #100e1a)',
    '--text: light-dark(#1d182b, #f3efe6)',
    '--primary: #ff6b57',
    '--secondary: light-dark(#0b7a6d, #35d0ba)',
    '--accent: light-dark(#855a00, #ffd166)',
  ])
})

test('makes transitions 0.3 s ease-in-out, or instant with reduced motion', () => {
  expect(declarations(theme, /^--ease$/)).toEqual(['--ease: calc(0.3s * var(--motion)) ease-in-out'])
  expect(declarations(theme, /^--motion$/)).toEqual(['--motion: 1', '--motion: 0'])
})

test('makes every animation except the sweep of the dot instant with reduced motion', () => {
  const timed = declarations(theme, /^--(?!sweep)/).filter(text => /\ds\b/.test(text))
  expect(timed.length).toBeGreaterThan(9)
  for (const text of timed)
    expect(text.replaceAll(/calc\([\d.]+s \* var\(--motion\)\)/g, '')).not.toMatch(/\ds\b/)
})

/** The only animations that the theme does not time: the dot and its trail. */
const LOOP = [
  'animation: cross var(--crossing) infinite',
  'animation: follow linear infinite',
  'animation-duration: inherit',
]

describe.each(OTHERS)('%s', path => {
  test('takes every colour and every transition from the theme', () => {
    const colours = declarations(read(path), /./).filter(text => COLOUR.test(text))
    const moves = declarations(read(path), /^(transition|animation)(-duration|-timing-function)?$/)
    expect(colours).toEqual([])
    expect(moves.filter(text => !EASED.test(text) && !LOOP.includes(text))).toEqual([])
  })
})

const COLOUR =
  /#[\da-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|[ (,](white|black|red|gold|orange)\b(?!-)/i
const EASED = /: (none|[a-z-]+ var\(--[a-z-]+\)(, [a-z-]+ var\(--[a-z-]+\))*)$/

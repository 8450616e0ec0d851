import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const [dark = '', light = ''] = read('web/theme.css').split('@media (prefers-color-scheme: light)')
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
  expect(declarations(dark, /^--(background|text|primary|secondary|accent)$/)).toEqual([
    '--background: #100e1a',
    '--text: #f3efe6',
    '--primary: #ff6b57',
    '--secondary: #35d0ba',
    '--accent: #ffd166',
  ])
  expect(declarations(light, /^--(background|text)$/)).toEqual(['--background: #f7f3eb', '--text: #1d182b'])
})

test('makes transitions 0.3 s ease-in-out, or instant with reduced motion', () => {
  expect(declarations(dark + light, /^--ease$/)).toEqual(['--ease: 0.3s ease-in-out', '--ease: 0s'])
})

test('makes every animation except the sweep of the dot instant with reduced motion', () => {
  const [moving, still = ''] = read('web/theme.css').split('@media (prefers-reduced-motion: reduce)')
  const names = declarations(moving ?? '', /^--/).flatMap(text => text.match(/^--[\w-]+(?=: [\d.]+s )/) ?? [])
  expect(names.length).toBeGreaterThan(9)
  for (const name of names.filter(name => name !== '--sweep')) {
    expect(declarations(still, new RegExp(`^${name}$`))).toEqual([`${name}: 0s`])
  }
})

/** The only animations outside the theme: the dot, its trail, and the dot's steps with reduced motion. */
const LOOP = [
  'animation: cross linear infinite',
  'animation-timing-function: steps(5, end)',
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

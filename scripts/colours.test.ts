import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Triple = readonly [number, number, number]

/** Colour-vision matrices for linear RGB at full severity, from Machado, Oliveira and Fernandes (2009). */
const VISIONS: Readonly<Record<string, readonly Triple[]>> = {
  'ordinary vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** The matrix from linear sRGB to XYZ, relative to the D65 white point. */
const TO_XYZ: readonly Triple[] = [
  [0.4339, 0.3762, 0.1899],
  [0.2126, 0.7152, 0.0722],
  [0.0177, 0.1095, 0.8728],
]

const SCHEMES = ['light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]

const theme = readFileSync('web/theme.css', 'utf8')

/** Reads a colour of the theme, which has one value, or a value for each scheme. */
function colourOf(scheme: Scheme, name: string): string {
  const [, value = ''] = new RegExp(`--${name}: ([^;]+);`).exec(theme) ?? []
  const colours = value.match(/#[\da-f]{6}/g) ?? []
  const colour = colours[SCHEMES.indexOf(scheme)] ?? colours[0]
  if (colour === undefined) throw new Error(`The theme has no colour --${name}`)
  return colour
}

const apply = (matrix: readonly Triple[], [r, g, b]: Triple) =>
  matrix.map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b))) as unknown as Triple

/** Computes the CIE L*a*b* values of a colour for this kind of colour vision. */
function labOf(colour: string, vision: readonly Triple[]): Triple {
  const linear = [1, 3, 5].map(at => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Triple
  const [x, y, z] = apply(TO_XYZ, apply(vision, linear)).map(t =>
    t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116,
  ) as unknown as Triple
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

test.each(SCHEMES.flatMap(scheme => Object.keys(VISIONS).map(vision => ({ scheme, vision }))))(
  'keeps the colours off, far, wild and primary distinguishable in the $scheme scheme with $vision',
  ({ scheme, vision }) => {
    const names = ['off', 'far', 'wild', 'primary']
    const labs = names.map(name => labOf(colourOf(scheme, name), VISIONS[vision] ?? []))
    const distances = labs.flatMap((one, place) =>
      labs.slice(place + 1).map(other => Math.hypot(...one.map((x, n) => x - (other[n] ?? 0)))),
    )
    expect(distances).toHaveLength(6)
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(15)
  },
)

/** The hue range, in degrees, of each feedback colour that the specification names. */
const HUES = [
  { name: 'perfect', hue: [38, 52] },
  { name: 'close', hue: [100, 160] },
  { name: 'near', hue: [180, 195] },
  { name: 'off', hue: [26, 37] },
  { name: 'far', hue: [12, 36] },
  { name: 'wild', hue: [345, 370] },
] as const

/** Computes a colour's hue in degrees from 0 to 360. The colour must not be grey. */
function hueOf(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
  const most = Math.max(r, g, b)
  const by = most - Math.min(r, g, b)
  const sixth = most === r ? (g - b) / by : most === g ? 2 + (b - r) / by : 4 + (r - g) / by
  return (60 * sixth + 360) % 360
}

test.each(HUES)(
  'gives $name the hue that the specification names, in both schemes',
  ({ name, hue: [from, to] }) => {
    for (const scheme of SCHEMES) {
      const hue = hueOf(colourOf(scheme, name))
      const turned = to > 360 && hue < 180 ? hue + 360 : hue
      expect(turned).toBeGreaterThanOrEqual(from)
      expect(turned).toBeLessThanOrEqual(to)
    }
  },
)

test('keeps wild a saturated red, neither as light as pink nor as dark as maroon, in both schemes', () => {
  for (const scheme of SCHEMES) {
    const colour = colourOf(scheme, 'wild')
    const shares = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    const [most, least] = [Math.max(...shares), Math.min(...shares)]
    const lightness = (most + least) / 2
    const saturation = (most - least) / (1 - Math.abs(2 * lightness - 1))
    expect(saturation).toBeGreaterThanOrEqual(0.95)
    expect(lightness).toBeLessThanOrEqual(0.6)
    expect(lightness).toBeGreaterThanOrEqual(0.35)
  }
})

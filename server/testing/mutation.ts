import type { Dice } from './dice.ts'

/** Tokens that are genuine in themselves, to be taken apart. */
export interface Genuine {
  /** The one to alter. */
  readonly token: string
  /** Others of the same kind: of another player, another round, another time. */
  readonly others: readonly [string, ...string[]]
}

type Mutate = (genuine: Genuine, draw: Dice) => string

const MAC_BYTES = 16
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bytesOf = (token: string) => Buffer.from(token, 'base64url')
const whole = (draw: Dice, below: number) => Math.floor(draw.roll() * below)

function onBytes(change: (bytes: Buffer, draw: Dice) => Buffer): Mutate {
  return ({ token }, draw) => change(bytesOf(token), draw).toString('base64url')
}

/** Puts a character into the text, anywhere. */
function insert(characters: readonly [string, ...string[]]): Mutate {
  return ({ token }, draw) => {
    const place = whole(draw, token.length + 1)
    return token.slice(0, place) + draw.pick(characters) + token.slice(place)
  }
}

/** Ways to alter a token, by name. */
const MUTATIONS: Readonly<Record<string, Mutate>> = {
  'one bit flipped': onBytes((bytes, draw) => {
    const bit = whole(draw, bytes.length * 8)
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return bytes
  }),
  'several bytes replaced': onBytes((bytes, draw) => {
    for (let n = 0; n <= whole(draw, 8); n += 1) bytes.writeUInt8(whole(draw, 256), whole(draw, bytes.length))
    return bytes
  }),
  'one character replaced': ({ token }, draw) => {
    const place = whole(draw, token.length)
    return token.slice(0, place) + ALPHABET[whole(draw, 64)] + token.slice(place + 1)
  },
  'cut short': ({ token }, draw) => token.slice(0, whole(draw, token.length)),
  'its beginning cut off': ({ token }, draw) => token.slice(1 + whole(draw, token.length)),
  'bytes cut off its payload': onBytes((bytes, draw) => {
    const cut = 1 + whole(draw, bytes.length - MAC_BYTES)
    return Buffer.concat([bytes.subarray(0, -MAC_BYTES - cut), bytes.subarray(-MAC_BYTES)])
  }),
  'bytes added': onBytes((bytes, draw) => {
    const more = Buffer.from(Array.from({ length: 1 + whole(draw, 9) }, () => whole(draw, 256)))
    return Buffer.concat(draw.roll() < 0.5 ? [bytes, more] : [more, bytes])
  }),
  'halves swapped': onBytes((bytes, draw) => {
    const place = 1 + whole(draw, bytes.length - 1)
    return Buffer.concat([bytes.subarray(place), bytes.subarray(0, place)])
  }),
  'its signature on the payload of another': ({ token, others }, draw) =>
    Buffer.concat([
      bytesOf(draw.pick(others)).subarray(0, -MAC_BYTES),
      bytesOf(token).subarray(-MAC_BYTES),
    ]).toString('base64url'),
  'the end of another': ({ token, others }, draw) => {
    const place = whole(draw, token.length)
    return token.slice(0, place) + draw.pick(others).slice(place)
  },
  'no signature': onBytes(bytes => bytes.subarray(0, -MAC_BYTES)),
  'a signature of zeros': onBytes(bytes => bytes.fill(0, bytes.length - MAC_BYTES)),
  'padded base64': ({ token }, draw) => token + draw.pick(['=', '==', '===', '%3D', '\u003d ']),
  'plain base64': ({ token }) => bytesOf(token).toString('base64'),
  'base64 with the spare bits set': ({ token }, draw) => {
    const last = ALPHABET.indexOf(token.at(-1) ?? '')
    return token.slice(0, -1) + ALPHABET[(last & ~3) | (1 + whole(draw, 3))]
  },
  hexadecimal: ({ token }) => bytesOf(token).toString('hex'),
  'characters that decoders skip': insert([' ', '\n', '\t', '.', '*', '=', '\u0000', '\u200b', 'é']),
  'another case': ({ token }, draw) => (draw.roll() < 0.5 ? token.toUpperCase() : token.toLowerCase()),
  'itself twice': ({ token }, draw) => token + draw.pick(['', '.', ',', ' ']) + token,
  'its characters backwards': ({ token }) => Array.from(token).reverse().join(''),
}

const NAMES = Object.keys(MUTATIONS)

/** An altered token and how it was made; null when chance has made one that is genuine. */
export function mutate(
  genuine: Genuine,
  place: number,
  draw: Dice,
): { name: string; altered: string } | null {
  const name = NAMES[place % NAMES.length] ?? ''
  const altered = MUTATIONS[name]?.(genuine, draw) ?? ''
  return [genuine.token, ...genuine.others].includes(altered) ? null : { name, altered }
}

import type { Random } from './random.ts'

/** Tokens that are genuine in themselves, to be taken apart. */
export interface Genuine {
  /** The one to alter. */
  readonly token: string
  /** Others of the same kind: of another player, another round, another time. */
  readonly others: readonly [string, ...string[]]
}

type Mutate = (genuine: Genuine, draw: Random) => string

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'

const whole = (draw: Random, below: number) => Math.floor(draw.next() * below)
const character = (draw: Random) => ALPHABET[whole(draw, ALPHABET.length)] ?? ''
/** Where the signature begins: after the last dot. */
const signatureOf = (token: string) => token.lastIndexOf('.') + 1

/** Changes the payload and leaves the signature as it is. */
function onPayload(change: (payload: string, draw: Random) => string): Mutate {
  return ({ token }, draw) => {
    const end = signatureOf(token)
    return change(token.slice(0, end - 1), draw) + token.slice(end - 1)
  }
}

/** Changes the signature and leaves the payload as it is. */
function onSignature(change: (signature: string, draw: Random) => string): Mutate {
  return ({ token }, draw) => {
    const begin = signatureOf(token)
    return token.slice(0, begin) + change(token.slice(begin), draw)
  }
}

/** Puts something into the text, anywhere. */
function insert(...texts: readonly [string, ...string[]]): Mutate {
  return ({ token }, draw) => {
    const place = whole(draw, token.length + 1)
    return token.slice(0, place) + draw.pick(texts) + token.slice(place)
  }
}

/** Ways to alter a token, by name. */
const MUTATIONS: Readonly<Record<string, Mutate>> = {
  'one bit flipped': ({ token }, draw) => {
    const bytes = Buffer.from(token)
    const bit = whole(draw, bytes.length * 8)
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return bytes.toString('latin1')
  },
  'several characters replaced': ({ token }, draw) => {
    const characters = Array.from(token)
    for (let n = 0; n <= whole(draw, 8); n += 1) characters[whole(draw, characters.length)] = character(draw)
    return characters.join('')
  },
  'one character replaced': ({ token }, draw) => {
    const place = whole(draw, token.length)
    return token.slice(0, place) + character(draw) + token.slice(place + 1)
  },
  'cut short': ({ token }, draw) => token.slice(0, whole(draw, token.length)),
  'its beginning cut off': ({ token }, draw) => token.slice(1 + whole(draw, token.length)),
  'characters cut off its payload': onPayload((payload, draw) =>
    payload.slice(0, -1 - whole(draw, payload.length)),
  ),
  'another number in it': onPayload((payload, draw) => {
    const [player, ...numbers] = payload.split('.')
    const place = whole(draw, numbers.length)
    return [player, ...numbers.map((number, n) => (n === place ? `${whole(draw, 5_000)}` : number))].join('.')
  }),
  'the same number, spelled otherwise': onPayload((payload, draw) => {
    const [player, ...numbers] = payload.split('.')
    return [player, ...numbers.map(number => draw.pick([`0${number}`, `+${number}`, ` ${number}`]))].join('.')
  }),
  'a field added': onPayload((payload, draw) => `${payload}.${draw.pick(['', '0', 'QQ', '1.1'])}`),
  'a field left out': onPayload(payload => payload.split('.').slice(0, -1).join('.')),
  'fields swapped': onPayload(payload => payload.split('.').reverse().join('.')),
  'characters added': ({ token }, draw) => {
    const more = Array.from({ length: 1 + whole(draw, 9) }, () => character(draw)).join('')
    return draw.next() < 0.5 ? token + more : more + token
  },
  'halves swapped': ({ token }, draw) => {
    const place = 1 + whole(draw, token.length - 1)
    return token.slice(place) + token.slice(0, place)
  },
  'its signature on the payload of another': ({ token, others }, draw) => {
    const other = draw.pick(others)
    return other.slice(0, signatureOf(other)) + token.slice(signatureOf(token))
  },
  'the end of another': ({ token, others }, draw) => {
    const place = whole(draw, token.length)
    return token.slice(0, place) + draw.pick(others).slice(place)
  },
  'no signature': ({ token }) => token.slice(0, signatureOf(token) - 1),
  'an empty signature': onSignature(() => ''),
  'a signature of zeros': onSignature(signature => 'A'.repeat(signature.length)),
  'a signature with the spare bits set': onSignature((signature, draw) => {
    // 16 bytes end on a character of 2 meaningful bits and 4 spare ones.
    const last = ALPHABET.indexOf(signature.at(-1) ?? '')
    return signature.slice(0, -1) + ALPHABET[(last & ~15) | (1 + whole(draw, 15))]
  }),
  'a padded signature': onSignature(
    (signature, draw) => signature + draw.pick(['=', '==', '===', '%3D', ' ']),
  ),
  'a signature in plain base64': onSignature(signature =>
    Buffer.from(signature, 'base64url').toString('base64'),
  ),
  'a signature in hexadecimal': onSignature(signature => Buffer.from(signature, 'base64url').toString('hex')),
  'characters that decoders skip': insert(' ', '\n', '\t', '.', '*', '=', '\u0000', '\u200b', 'é'),
  'another case': ({ token }, draw) => (draw.next() < 0.5 ? token.toUpperCase() : token.toLowerCase()),
  'itself twice': ({ token }, draw) => token + draw.pick(['', '.', ',', ' ']) + token,
  'its characters backwards': ({ token }) => Array.from(token).reverse().join(''),
}

const NAMES = Object.keys(MUTATIONS)

/** An altered token and how it was made; null when chance has made one that is genuine. */
export function mutate(
  genuine: Genuine,
  place: number,
  draw: Random,
): { name: string; altered: string } | null {
  const name = NAMES[place % NAMES.length] ?? ''
  const altered = MUTATIONS[name]?.(genuine, draw) ?? ''
  return [genuine.token, ...genuine.others].includes(altered) ? null : { name, altered }
}

import { readList } from '../lib/lists.ts'

/** A line of the list: what the characters look like, then those that look like it, in hexadecimal. */
const LINE = /^(.+) < (.+)$/

/** What each confusable character looks like. */
const PROTOTYPES = readPrototypes()

/**
 * What a name looks like, whatever characters it is made of: two names with the same skeleton can be taken for each
 * other. Made as UTS 39 (section 4) says, from the name as it looks and without regard to case; i, I, l, 1 and | are
 * one, because a capital I is an l to the eye and an i to whoever types it. Only for comparing, never to be shown.
 */
export function skeleton(name: string): string {
  const seen = lookOf(name.normalize('NFKC')).toLowerCase()
  return lookOf(seen).toLowerCase().replaceAll('i', 'l').replace(/\s+/g, ' ').trim()
}

/** The skeleton of the standard, in whose data no prototype is itself confusable. */
function lookOf(text: string): string {
  const look = Array.from(text.normalize('NFD'), character => PROTOTYPES.get(character) ?? character)
  return look.join('').normalize('NFD')
}

function readPrototypes(): Map<string, string> {
  const prototypes = new Map<string, string>()
  for (const line of readList('confusables')) {
    const [, prototype = '', confusables = ''] = LINE.exec(line) ?? []
    for (const confusable of confusables.split(' ')) prototypes.set(toText(confusable), toText(prototype))
  }
  return prototypes
}

function toText(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split(' ').map(code => Number.parseInt(code, 16)))
}

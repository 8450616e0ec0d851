import { checkName } from '../../contract/name.ts'
import { formatDifference, toMs } from '../../contract/time.ts'
import { writeEntry } from '../lib/entries.ts'
import { createStore } from '../lib/store.ts'
import type { Dare } from '../round/against.ts'
import { endsDare } from './dare-line.ts'
import type { MyAttempts } from './my-attempts.ts'

const PARAMETERS = { result: 'beat', hand: 'hand' } as const

const SECONDS = /^\d\.\d{3}$/

/** The largest difference that a dare can state. */
const MAX_MS = 9_999

/**
 * Reads a dare from a fragment such as `#by=mira&beat=0.130`, or `#by=mira&hand=0.142` for a hand. Parameters may
 * come in any order, and chats may append some or write `&amp;`. Returns null for anything else.
 */
export function readDare(hash: string): Dare | null {
  const values = new URLSearchParams(hash.slice(1).replaceAll('&amp;', '&'))
  const kind = values.has('beat') ? 'result' : 'hand'
  const seconds = values.get(PARAMETERS[kind]) ?? ''
  const check = checkName(values.get('by') ?? '')
  if (!check.ok || !SECONDS.test(seconds)) return null
  return { kind, differenceMs: toMs(Number(seconds)), by: check.name }
}

/**
 * Returns the fragment of a dare; empty for a difference that a dare cannot state. The name comes first, and is
 * encoded but for ASCII letters and digits, because chats end a link before punctuation at its end.
 */
export function dareFragment({ kind, differenceMs, by }: Dare): string {
  if (Math.abs(differenceMs) > MAX_MS) return ''
  return `#by=${encodeAll(by)}&${PARAMETERS[kind]}=${formatDifference(differenceMs)}`
}

function encodeAll(text: string): string {
  const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replaceAll(/[^A-Za-z0-9%]/g, encode)
}

export type Dares = ReturnType<typeof takeDares>

/**
 * Takes dares from the page's address, now and at each change of the fragment. Removes a dare from the
 * address, so that a reload or a copy does not carry it on. A dare ends when it is beaten.
 */
export function takeDares({ attempts, isKnown }: Pick<MyAttempts, 'attempts' | 'isKnown'>) {
  const dare = createStore<Dare | null>(null)
  /** The ID of the player's last attempt before the dare; null until known. */
  let lastId: number | null = null

  function take(): void {
    const found = readDare(location.hash)
    if (found === null) return
    writeEntry('replaceState', history.state, location.pathname + location.search)
    dare.set(found)
    lastId = null
    noteLastId()
  }

  function noteLastId(): void {
    if (isKnown.get()) lastId ??= attempts.get()[0]?.id ?? 0
  }

  /** Returns the dare if it is of this kind. Ends the dare if the distance is closer. */
  function meet(kind: Dare['kind'], distanceMs: number): Dare | null {
    const current = dare.get()
    if (current?.kind !== kind) return null
    if (endsDare(current, distanceMs)) dare.set(null)
    return current
  }

  take()
  addEventListener('hashchange', take)
  isKnown.subscribe(noteLastId)
  return {
    dare,
    /** Returns the dare that a verified result meets, or null. */
    meetResult: (differenceMs: number): Dare | null => meet('result', Math.abs(differenceMs)),
    /** Returns the dare that a hand meets, or null. A hand meets no dare that was read after its first round. */
    meetHand: (firstId: number, averageMs: number): Dare | null =>
      lastId !== null && firstId > lastId ? meet('hand', averageMs) : null,
  }
}

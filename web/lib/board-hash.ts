import type { LivePart } from '../../contract/live.ts'

const PARTS = ['pool', 'leaderboard', 'attempts', 'today'] as const

const SCHEMES = ['dark', 'light'] as const

export type BoardPart = (typeof PARTS)[number]

/** The options of board mode, from the hash of the URL. */
export interface BoardOptions {
  /** The only part to show; null for the whole board. */
  readonly show: BoardPart | null
  /** The list in the leaderboard's place. */
  readonly list: 'leaderboard' | 'today'
  /** Whether only text and marks are opaque, so that the board can lie over a video stream. */
  readonly transparent: boolean
  /** The colour scheme; null for that of the browser. */
  readonly scheme: 'dark' | 'light' | null
}

export const BOARD_HASH = '#board'

/** What each part of the board shows; the pool's rail has the recent attempts. */
const LIVE_PARTS_OF: Readonly<Record<BoardPart, readonly LivePart[]>> = {
  pool: ['prize_pool', 'attempts'],
  leaderboard: ['leaderboard'],
  attempts: ['attempts'],
  today: ['today'],
}

/** Returns what an overlay shows; null for the game and the whole board. */
export function partsOfOverlay(hash: string): readonly LivePart[] | null {
  const show = readBoardHash(hash)?.show ?? null
  return show && LIVE_PARTS_OF[show]
}

/** Reads the options from a hash such as `#board&show=pool&transparent`. Returns null unless it begins with `#board`. */
export function readBoardHash(hash: string): BoardOptions | null {
  const [mode, ...options] = hash.split('&')
  if (mode !== BOARD_HASH) return null
  return {
    show: PARTS.find(part => options.includes(`show=${part}`)) ?? null,
    list: options.includes('today') ? 'today' : 'leaderboard',
    transparent: options.includes('transparent'),
    scheme: SCHEMES.find(scheme => options.includes(`scheme=${scheme}`)) ?? null,
  }
}

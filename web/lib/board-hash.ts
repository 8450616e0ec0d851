/** The options of board mode, from the hash of the URL. */
export interface BoardOptions {
  /** Whether to hide the background, so that the board can lie over a video stream. */
  readonly transparent: boolean
}

export const BOARD_HASH = '#board'

/** Reads the options from `#board` or `#board&transparent`. Returns null for any other hash. */
export function readBoardHash(hash: string): BoardOptions | null {
  const [mode, ...options] = hash.split('&')
  return mode === BOARD_HASH ? { transparent: options.includes('transparent') } : null
}

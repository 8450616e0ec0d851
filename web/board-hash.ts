/** Options of board mode in the address. */
export interface BoardOptions {
  /** No background, for an overlay in a stream. */
  readonly transparent: boolean
}

export const BOARD_HASH = '#board'

/** Reads `#board` or `#board&transparent`; null for any other hash. */
export function readBoardHash(hash: string): BoardOptions | null {
  const [mode, ...options] = hash.split('&')
  return mode === BOARD_HASH ? { transparent: options.includes('transparent') } : null
}

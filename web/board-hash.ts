/** The options of board mode, which are part of the URL. */
export interface BoardOptions {
  /** True to show no background, for an overlay in a stream. */
  readonly transparent: boolean
}

export const BOARD_HASH = '#board'

/** Reads the options of `#board` or `#board&transparent`. Returns null for any other hash. */
export function readBoardHash(hash: string): BoardOptions | null {
  const [mode, ...options] = hash.split('&')
  return mode === BOARD_HASH ? { transparent: options.includes('transparent') } : null
}

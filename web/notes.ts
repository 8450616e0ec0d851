/** The plain lines a player can read below the result. */
export const NOTES = {
  tooLong: 'A round lasts ten minutes at most. This one was ended; its target waits for you.',
  interrupted: 'The round was ended without a result; its target waits for you.',
  overtaken: 'This round ended in another tab; here is the next one.',
  retrying: 'Your attempt is kept here and sent as soon as the server answers.',
  clock: 'Not verified: less time has passed on our clock, so it counts but cannot win.',
  flagged: 'Steadier than a hand can be: it counts, but it cannot win.',
} as const

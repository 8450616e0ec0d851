/** The plain lines a player can read below the result. */
export const NOTES = {
  tooLong: 'A round lasts ten minutes at most. This one was ended; its target is waiting for you.',
  interrupted: 'The round was ended without a result; its target is waiting for you.',
  overtaken: 'This round was played or ended in another tab; here is the next one.',
  retrying: 'Your attempt is kept here and sent as soon as the server answers.',
  clock: 'Not verified: less time passed on our clock than on yours, so this attempt counts but cannot win.',
  flagged: 'Not verified: stops steadier than a hand can be count, but cannot win.',
} as const

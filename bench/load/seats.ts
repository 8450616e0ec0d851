import { InsertingSeat } from './insert.ts'
import type { Notes, Seat } from './seat.ts'
import { TapsSeat } from './taps.ts'

/** How to play each of the games that are compared. */
export const SEATS = {
  taps: (name, notes) => new TapsSeat(name, notes),
  feathers: (name, notes) => new InsertingSeat(name, notes),
} as const satisfies Record<string, (name: string, notes: Notes) => Seat>

export type SeatName = keyof typeof SEATS

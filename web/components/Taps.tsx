import { formatTaps } from '../format.ts'
import { useCountUp } from './useCountUp.ts'

/** An amount of TAPS that counts up softly when it grows. */
export function Taps({ amount }: { amount: number }) {
  return formatTaps(useCountUp(amount))
}

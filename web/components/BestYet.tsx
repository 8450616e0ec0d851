import type { MyAttempts } from '../my-attempts.ts'
import type { Stopped } from '../round.ts'
import { isBestYet } from '../timing.ts'
import { useStore } from './useStore.ts'
import './BestYet.css'

interface Props {
  myAttempts: MyAttempts
  result: Stopped
}

/** Said of a result that is closer than all before it that the page knows of. */
export function BestYet({ myAttempts, result }: Props) {
  const attempts = useStore(myAttempts.attempts)
  if (!isBestYet(attempts, result.judgement.differenceMs)) return null
  return <span className="best">Your best yet</span>
}

import { memo } from 'react'
import { MY_ATTEMPTS } from '../../contract/rules.ts'
import type { App } from '../app.ts'
import { useStore } from './useStore.ts'
import './YourTiming.css'

/** How the player has been stopping; its code comes later, its place is always there. */
export const YourTiming = memo(function YourTiming({ later, myAttempts }: Pick<App, 'later' | 'myAttempts'>) {
  const parts = useStore(later)
  return (
    <section className="timing" aria-label="Your timing">
      <h2 className="label">Your timing, last {MY_ATTEMPTS}</h2>
      {parts !== null && <parts.Timing myAttempts={myAttempts} />}
    </section>
  )
})

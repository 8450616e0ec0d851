import { memo, useEffect, useState } from 'react'
import type { Attempt } from '../../../contract/api.ts'
import { judge } from '../../../contract/rules.ts'
import { formatSigned, toMs } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import { findOther } from '../../result/my-attempts.ts'
import { usePart, useStore } from '../hooks/useStore.ts'

const NO_ATTEMPTS: readonly Attempt[] = []

/** The time for which a feed is used, so that its attempt can be read. */
const READ_MS = 2_000

/**
 * Shows another player's latest attempt on phones, where the feed lies below the window. CSS inserts the text,
 * which only the feed may contain.
 */
export const Latest = memo(function Latest({ live, myAttempts }: Pick<App, 'live' | 'myAttempts'>) {
  const feed = usePaced(usePart(live, ({ parts }) => parts.attempts)?.attempts ?? NO_ATTEMPTS)
  // Chosen after the pause, because the answer to the player's own attempt may arrive during the pause.
  const latest = findOther(feed, useStore(myAttempts.attempts))
  if (latest === undefined) return null
  const differenceMs = toMs(latest.difference)
  const result =
    latest.won_taps === null ? `${formatSigned(differenceMs)} s` : `won ${formatTaps(latest.won_taps)} TAPS`
  return (
    <div
      className="latest"
      aria-hidden="true"
      data-name={latest.username}
      data-result={result}
      data-closeness={latest.won_taps === null ? judge(0, differenceMs).feedback.closeness : undefined}
    />
  )
})

/** Returns the newest value, but replaces a value only after `READ_MS`. */
function usePaced<Value>(newest: Value): Value {
  const [shown, setShown] = useState({ value: newest, since: Number.NEGATIVE_INFINITY })
  useEffect(() => {
    if (newest === shown.value) return
    const show = () => setShown({ value: newest, since: performance.now() })
    const timer = setTimeout(show, shown.since + READ_MS - performance.now())
    return () => clearTimeout(timer)
  }, [newest, shown])
  return shown.value
}

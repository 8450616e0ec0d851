import { useState } from 'react'
import { toMs } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { joinUrl } from '../../net/join-address.ts'
import { canShare, share, shareText } from '../../result/share.ts'
import type { Stopped } from '../../round/round.ts'
import { useElapsed } from '../hooks/useTime.ts'
import { IconButton } from './IconButton.tsx'

const ARROW_OUT_OF_BOX = 'M12 15V4M8 7.5 12 3.5l4 4M6 11.5H5v9h14v-9h-1'

const SHOWN_MS = 2_500

interface Props {
  app: App
  result: Stopped
  /** The TAPS won by the result, or null. */
  won: number | null
}

export function ShareButton({ app: { live, myAttempts }, result, won }: Props) {
  /** What the last press has done. */
  const [done, setDone] = useState<{ readonly text: string } | null>(null)
  const isOver = useElapsed(done, SHOWN_MS)
  if (!canShare()) return null

  const shareResult = async () => {
    const differences = myAttempts.attempts.get().map(({ difference }) => toMs(difference))
    const pool = live.get().parts.prize_pool?.taps ?? null
    const text = shareText(result, won, differences, pool)
    setDone({ text: await share(text, new URL('/', joinUrl() ?? location.href).href) })
  }
  return (
    <div className="share">
      <span className="copied" role="status">
        {!isOver && done?.text}
      </span>
      <IconButton name="Share" path={ARROW_OUT_OF_BOX} isNamed={won !== null} onPress={shareResult} />
    </div>
  )
}

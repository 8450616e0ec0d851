import { useEffect, useState } from 'react'
import { toMs } from '../../../contract/time.ts'
import type { Live } from '../../live/live.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { canShare, type Shared, share, shareText } from '../../result/share.ts'
import type { Stopped } from '../../round/round.ts'
import { IconButton } from './IconButton.tsx'

const ARROW_OUT_OF_BOX = 'M12 15V4M8 7.5 12 3.5l4 4M6 11.5H5v9h14v-9h-1'

const COPIED_SHOWN_MS = 2_500

const CONFIRMATIONS: Readonly<Record<Shared, string>> = { shared: 'Shared', copied: 'Copied', nothing: '' }

interface Props {
  result: Stopped
  /** The TAPS won by the result, or null. */
  won: number | null
  myAttempts: MyAttempts
  live: Live
}

export function ShareButton({ result, won, myAttempts, live }: Props) {
  const [shared, setShared] = useState<Shared>('nothing')
  useEffect(() => {
    if (shared === 'nothing') return
    const timer = setTimeout(() => setShared('nothing'), COPIED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shared])
  if (!canShare()) return null

  const shareResult = () => {
    const differences = myAttempts.attempts.get().map(({ difference }) => toMs(difference))
    const pool = live.get().parts.prize_pool?.taps ?? null
    void share(shareText(result, won, differences, pool), new URL('/', location.href).href).then(setShared)
  }
  return (
    <div className="share">
      <span className="copied" role="status">
        {CONFIRMATIONS[shared]}
      </span>
      <IconButton name="Share" path={ARROW_OUT_OF_BOX} isNamed={won !== null} onPress={shareResult} />
    </div>
  )
}

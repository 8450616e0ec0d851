import { useState } from 'react'
import { toMs } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { joinAddress } from '../../net/join-address.ts'
import { dareFragment } from '../../result/dare.ts'
import { handWith } from '../../result/hand.ts'
import { type Shared, share, shareText } from '../../result/share.ts'
import type { Stopped } from '../../round/round.ts'
import { CopyField } from '../controls/CopyField.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { useElapsed } from '../hooks/useTime.ts'

const ARROW_OUT_OF_BOX = 'M12 15V4M8 7.5 12 3.5l4 4M6 11.5H5v9h14v-9h-1'

const SHOWN_MS = 2_500

const DONE: Readonly<Partial<Record<Shared, string>>> = { shared: 'Shared', copied: 'Copied' }

interface Props {
  app: App
  result: Stopped
  /** The TAPS won by the result, or null. */
  won: number | null
}

export function ShareButton({ app, result, won }: Props) {
  /** What the last press has done. */
  const [done, setDone] = useState<{ readonly shared: Shared; readonly text: string } | null>(null)
  const isOver = useElapsed(done, SHOWN_MS)

  const shareResult = async () => {
    const { text, url } = resultToShare(app, result)
    setDone({ shared: await share(text, url), text: `${text} ${url}` })
  }
  if (done?.shared === 'refused') {
    return (
      <div className="share">
        <CopyField name="Result to copy" text={done.text} onClose={() => setDone(null)} />
      </div>
    )
  }
  return (
    <div className="share">
      <span className="copied" role="status">
        {!isOver && done !== null && DONE[done.shared]}
      </span>
      <IconButton name="Share" path={ARROW_OUT_OF_BOX} isNamed={won !== null} onPress={shareResult} />
    </div>
  )
}

/** Returns the text, and a link that dares a friend in the player's name. */
function resultToShare({ myAttempts, session, guests }: App, result: Stopped) {
  const { differenceMs } = result.judgement
  const before = myAttempts.attempts.get().map(({ difference }) => toMs(difference))
  const hand = handWith(differenceMs, myAttempts.hand.get().rounds, before)
  const by = session.state.get().session?.user?.username ?? guests.guest.get().username
  const url = new URL('/', joinAddress.get() ?? location.href)
  url.hash = dareFragment({ kind: 'result', differenceMs, by })
  return { text: shareText(result, hand), url: url.href }
}

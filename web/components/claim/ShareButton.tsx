import { useState } from 'react'
import { toMs } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { joinAddress } from '../../net/join-address.ts'
import { dareFragment } from '../../result/dare.ts'
import { handWith } from '../../result/hand.ts'
import type { SecondLine } from '../../result/second-line.ts'
import { handText, type Shared, share, shareText, winText } from '../../result/share.ts'
import type { Dare } from '../../round/against.ts'
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
  /** What the line below the result is about; undefined without one. */
  about?: SecondLine['about'] | undefined
  /** The friend whose dare the result meets. */
  rival?: string | undefined
}

/** Passes on a win, a hand, or a result. */
export function ShareButton({ app, result, won, about, rival }: Props) {
  /** What the last press has done. */
  const [done, setDone] = useState<{ readonly shared: Shared; readonly text: string } | null>(null)
  const isOver = useElapsed(done, SHOWN_MS)

  const shareResult = async () => {
    const { text, url } = toShare(app, result, won, about === 'hand')
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
      <IconButton {...labelOf(won, about, rival)} path={ARROW_OUT_OF_BOX} onPress={shareResult} />
    </div>
  )
}

/** Returns the button's name, and its label where there is something special to share. */
function labelOf(won: number | null, about: Props['about'], rival: string | undefined) {
  if (won === null && about === 'hand') return { name: 'Share the hand', label: 'Share the hand' }
  if (won === null && about === 'beaten' && rival !== undefined) {
    const label = (
      <>
        Dare <bdi>{rival}</bdi> back
      </>
    )
    return { name: `Dare ${rival} back`, label }
  }
  return { name: 'Share', label: won === null ? null : 'Share' }
}

/** Returns the text, and a link that dares a friend in the player's name. */
function toShare(app: App, result: Stopped, won: number | null, isHand: boolean) {
  const { myAttempts, session, guests, handEnd } = app
  const { differenceMs } = result.judgement
  const before = myAttempts.attempts.get().map(({ difference }) => toMs(difference))
  const hand = handWith(differenceMs, myAttempts.hand.get().rounds, before)
  const by = session.state.get().session?.user?.username ?? guests.guest.get().username
  const averageMs = handEnd.get()?.averages.nowMs
  if (won === null && isHand && averageMs !== undefined) {
    return { text: handText(averageMs, hand), url: urlOf({ kind: 'hand', differenceMs: averageMs, by }) }
  }
  const text = won === null ? shareText(result, hand) : winText(won, result)
  return { text, url: urlOf({ kind: 'result', differenceMs, by }) }
}

function urlOf(dare: Dare): string {
  const url = new URL('/', joinAddress.get() ?? location.href)
  url.hash = dareFragment(dare)
  return url.href
}

import { type MouseEvent, useEffect, useState } from 'react'
import type { Stopped } from './round.ts'
import { canShare, type Shared, share } from './share.ts'

const COPIED_SHOWN_MS = 2_500

/** Passes a result on to a friend. */
export function ShareButton({ result }: { result: Stopped }) {
  const [shared, setShared] = useState<Shared>('nothing')
  useEffect(() => {
    if (shared === 'nothing') return
    const timer = setTimeout(() => setShared('nothing'), COPIED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shared])
  if (!canShare()) return null

  const onClick = async ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    // After a pointer, Space belongs to the game again.
    if (detail > 0) currentTarget.blur()
    setShared(await share(result, new URL('/', location.href).href))
  }
  return (
    <div className="share">
      <span className="copied" role="status">
        {shared === 'copied' && 'Copied'}
      </span>
      <button type="button" className="share-button" aria-label="Share" onClick={onClick}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 15V4M8 7.5 12 3.5l4 4M6 11.5H5v9h14v-9h-1" />
        </svg>
      </button>
    </div>
  )
}

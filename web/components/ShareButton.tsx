import { useEffect, useState } from 'react'
import type { Stopped } from '../round.ts'
import { canShare, type Shared, share } from '../share.ts'
import { IconButton } from './IconButton.tsx'
import './ShareButton.css'

const ARROW_OUT_OF_BOX = 'M12 15V4M8 7.5 12 3.5l4 4M6 11.5H5v9h14v-9h-1'

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

  const pass = () => share(result, new URL('/', location.href).href).then(setShared)
  return (
    <div className="share">
      <span className="copied" role="status">
        {shared === 'copied' && 'Copied'}
      </span>
      <IconButton name="Share" path={ARROW_OUT_OF_BOX} onPress={pass} />
    </div>
  )
}

import { useState } from 'react'
import type { App } from '../../app.ts'
import { copy } from '../../lib/clipboard.ts'
import { joinAddress } from '../../net/join-address.ts'
import { findOther } from '../../result/my-attempts.ts'
import { CopyField } from '../controls/CopyField.tsx'
import { PressButton } from '../controls/PressButton.tsx'
import { usePart, useStore } from '../hooks/useStore.ts'

/** The most attempts that leave room for the invitation in the feed. */
const MOST_ATTEMPTS = 3

/** Asks a player who is alone to invite others. */
export function Invite({ live, myAttempts }: Pick<App, 'live' | 'myAttempts'>) {
  const attempts = usePart(live, ({ parts }) => parts.attempts)?.attempts
  const own = useStore(myAttempts.attempts)
  const url = useStore(joinAddress)
  if (attempts === undefined || attempts.length > MOST_ATTEMPTS || url === null) return null
  if (findOther(attempts, own) !== undefined) return null
  return (
    <div className="invite">
      <p>First one here. Send this to a rival</p>
      <Address address={`${url}/`} />
    </div>
  )
}

/** Copies the address, or shows it in a field where the browser has no clipboard, as over plain HTTP, or refuses. */
function Address({ address }: { address: string }) {
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  if (isCopied === false) {
    return <CopyField name="Address of the game" text={address} onClose={() => setIsCopied(null)} />
  }
  if (!('clipboard' in navigator)) {
    return (
      <input
        aria-label="Address of the game"
        readOnly
        value={address}
        onFocus={({ target }) => target.select()}
      />
    )
  }
  return (
    <>
      <PressButton className="link" onPress={async () => setIsCopied(await copy(address))}>
        Copy link
      </PressButton>
      <span className="copied" role="status">
        {isCopied === true && 'Copied'}
      </span>
    </>
  )
}

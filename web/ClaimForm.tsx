import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { Accounts, Entrance } from './accounts.ts'
import type { Failure } from './api.ts'
import { CredentialsFields, FormError } from './Credentials.tsx'
import { formatTaps } from './format.ts'

interface Props {
  accounts: Accounts
  taps: number
  guestName: string
}

const TABS: readonly { how: Entrance; name: string }[] = [
  { how: 'createAccount', name: 'Create account' },
  { how: 'login', name: 'Sign in' },
]

/** The account form of a guest who won: one press creates or signs in, and claims. */
export function ClaimForm({ accounts, taps, guestName }: Props) {
  const [how, setHow] = useState<Entrance>('createAccount')
  const [credentials, setCredentials] = useState({ username: guestName, password: '' })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const verb = how === 'login' ? 'Sign in' : 'Create account'

  const choose = (next: Entrance) => {
    setHow(next)
    setFailure(null)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(await accounts.enterAndClaim(how, credentials))
    setBusy(false)
  }

  return (
    <>
      <Tabs chosen={how} onChoose={choose} />
      <div id="claim-panel" role="tabpanel" aria-labelledby={`tab-${how}`}>
        <form className="form-body" noValidate onSubmit={submit}>
          <CredentialsFields
            credentials={credentials}
            isNew={how === 'createAccount'}
            onChange={setCredentials}
          />
          <button type="submit" className="primary" disabled={busy}>
            {verb} & claim {formatTaps(taps)} TAPS
          </button>
          <FormError failure={failure} />
        </form>
      </div>
    </>
  )
}

/** Arrow keys move between the tabs, as screen reader users expect. */
function Tabs({ chosen, onChoose }: { chosen: Entrance; onChoose: (how: Entrance) => void }) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const other = TABS.find(({ how }) => how !== chosen)
    if (other === undefined) return
    onChoose(other.how)
    list.current?.querySelector<HTMLElement>(`#tab-${other.how}`)?.focus()
  }
  return (
    <div ref={list} className="tabs" role="tablist" aria-label="Claim with" onKeyDown={move}>
      {TABS.map(({ how, name }) => (
        <button
          key={how}
          id={`tab-${how}`}
          type="button"
          role="tab"
          aria-selected={how === chosen}
          aria-controls="claim-panel"
          tabIndex={how === chosen ? 0 : -1}
          onClick={() => onChoose(how)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

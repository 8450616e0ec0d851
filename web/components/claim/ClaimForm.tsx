import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Accounts } from '../../account/accounts.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Entrance } from '../../net/api.ts'
import type { Game } from '../../round/game.ts'
import { CredentialsFields, credentialsOf } from '../controls/Field.tsx'
import { Form } from '../controls/Form.tsx'

interface Props {
  game: Pick<Game, 'chooseEntrance'>
  submit: Accounts['enterAndClaim']
  taps: number
  guestName: string
}

const TABS: readonly { how: Entrance; name: string }[] = [
  { how: 'createAccount', name: 'Create account' },
  { how: 'login', name: 'Sign in' },
]

/** Signs a guest up or in, and claims the prize with the same press. */
export function ClaimForm({ game, submit, taps, guestName }: Props) {
  const [how, setHow] = useState<Entrance>('createAccount')
  useEffect(() => game.chooseEntrance(how), [game, how])
  const isNew = how === 'createAccount'

  return (
    <>
      <Tabs chosen={how} onChoose={setHow} />
      <div id="claim-panel" className="claim-panel" role="tabpanel" aria-labelledby={`tab-${how}`}>
        <Form
          submit={getValue => submit(how, credentialsOf(getValue))}
          buttonLabel={`${isNew ? 'Create account' : 'Sign in'} & claim ${formatTaps(taps)} TAPS`}
        >
          <CredentialsFields isNew={isNew} username={guestName} />
        </Form>
      </div>
    </>
  )
}

/** Switches between sign-up and sign-in, also with the arrow keys, as screen reader users expect. */
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

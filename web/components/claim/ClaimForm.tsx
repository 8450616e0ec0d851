import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Entrance, Problem } from '../../net/api.ts'
import { CredentialsFields, credentialsOf } from '../controls/Field.tsx'
import { Form } from '../controls/Form.tsx'
import { useStore } from '../hooks/useStore.ts'

interface Props {
  app: App
  taps: number
  problem: Problem | null
  onProblem: (problem: Problem | null) => void
  /** Whether another button leads. */
  isQuiet: boolean
}

const TABS: readonly { how: Entrance; name: string }[] = [
  { how: 'createAccount', name: 'Create account' },
  { how: 'login', name: 'Sign in' },
]

/** Signs a guest up or in, and claims the prize with the same press. */
export function ClaimForm({ app: { accounts, game, guests }, taps, problem, onProblem, isQuiet }: Props) {
  const [how, setHow] = useState<Entrance>('createAccount')
  const waiting = useStore(accounts.waiting)
  useEffect(() => game.chooseEntrance(how), [game, how])
  const isNew = how === 'createAccount'
  const choose = (next: Entrance) => {
    setHow(next)
    onProblem(null)
  }

  return (
    <>
      <Tabs chosen={how} onChoose={choose} />
      <div id="claim-panel" className="claim-panel" role="tabpanel" aria-labelledby={`tab-${how}`}>
        <Form
          submit={get => accounts.enterAndClaim(how, credentialsOf(get))}
          problem={problem}
          note={waiting}
          onProblem={onProblem}
          quiet={isQuiet}
          buttonLabel={`${isNew ? 'Create account' : 'Sign in'} & claim ${formatTaps(taps)} TAPS`}
        >
          <CredentialsFields
            newHint={isNew ? '. Without email, only the operator can replace it.' : undefined}
            username={guests.guest.get().username}
          />
        </Form>
      </div>
    </>
  )
}

/** Switches between sign-up and sign-in, also with the arrow keys, as screen reader users expect. */
function Tabs({ chosen, onChoose }: { chosen: Entrance; onChoose: (how: Entrance) => void }) {
  const list = useRef<HTMLDivElement>(null)
  const move = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const other = chosen === 'login' ? 'createAccount' : 'login'
    onChoose(other)
    list.current?.querySelector<HTMLElement>(`#tab-${other}`)?.focus()
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

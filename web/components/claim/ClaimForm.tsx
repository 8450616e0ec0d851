import { useEffect, useState } from 'react'
import type { App } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Entrance, Problem } from '../../net/api.ts'
import { CredentialsFields, credentialsOf } from '../controls/Field.tsx'
import { Form } from '../controls/Form.tsx'
import { Tabs } from '../controls/Tabs.tsx'
import { useStore } from '../hooks/useStore.ts'

interface Props {
  app: App
  taps: number
  problem: Problem | null
  onProblem: (problem: Problem | null) => void
  /** Whether another button leads. */
  isQuiet: boolean
}

const TABS = { createAccount: 'Create account', login: 'Sign in' } as const satisfies Record<Entrance, string>

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
      <Tabs
        label="Claim with"
        tabs={TABS}
        chosen={how}
        onChoose={choose}
        className="tabs"
        panel="claim-panel"
      />
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
            newHint={isNew ? '. Only the operator can replace a lost password.' : undefined}
            username={guests.guest.get().username}
          />
        </Form>
      </div>
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import type { App } from '../../app.ts'
import { OUTCOME_UNKNOWN, WHAT_IS_STORED } from '../../messages.ts'
import type { Problem } from '../../net/api.ts'
import { CredentialsFields, credentialsOf } from '../controls/Field.tsx'
import { Form, findBlankField, type GetValue } from '../controls/Form.tsx'
import { Key } from '../controls/Key.tsx'
import { usePart, useStore } from '../hooks/useStore.ts'

const UNKNOWN: readonly string[] = Object.values(OUTCOME_UNKNOWN)

/**
 * Shows login mode. "Create account" signs up, or shows the sign-up form if a field is blank or refused.
 */
export function LoginForm({ app: { accounts, game, guests, shown } }: { app: App }) {
  const [isNew, setIsNew] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const waiting = useStore(accounts.waiting)
  const unknownOutcome = usePart(shown, ({ message }) => UNKNOWN.find(text => text === message))
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isNew || card.current === null) return
    const name = card.current.querySelector('input')
    if (name?.value.trim() === '') name.value = guests.guest.get().username
    findBlankField(card.current)?.focus()
  }, [isNew, guests])

  const submit = async (getValue: GetValue) => {
    const isSignUp = isNew || getValue('how') === 'createAccount'
    const refusal = await accounts.enter(isSignUp ? 'createAccount' : 'login', credentialsOf(getValue))
    if (refusal !== null && isSignUp) setIsNew(true)
    // The form for a new account first asks for what is missing.
    return isSignUp && !isNew && refusal?.code === 'missing_credentials' ? null : refusal
  }
  const logIn = () => {
    setIsNew(false)
    setProblem(null)
  }
  return (
    <div className="login" ref={card}>
      <Form
        submit={submit}
        problem={problem}
        note={waiting}
        onProblem={setProblem}
        buttonLabel={isNew ? 'Create account' : 'Login'}
        takesFocus
        labelledBy="login-title"
        otherWay={<OtherWay isNew={isNew} onLogin={logIn} />}
        wayOut={
          <div className="strip">
            <button type="button" className="link" onClick={() => game.show('main')}>
              Cancel
            </button>
            <Key name="Esc" />
          </div>
        }
      >
        <h2 id="login-title" className="form-title">
          {isNew ? 'A new account' : 'Login'}
        </h2>
        <CredentialsFields newHint={isNew ? '.' : undefined} />
        {!isNew && unknownOutcome !== undefined && (
          <p className="hint" role="alert">
            {unknownOutcome}
          </p>
        )}
        {isNew && <p className="hint">{WHAT_IS_STORED}</p>}
      </Form>
    </div>
  )
}

/** Switches between login and sign-up. Separate React keys keep one click from pressing both buttons. */
function OtherWay({ isNew, onLogin }: { isNew: boolean; onLogin: () => void }) {
  return isNew ? (
    <p key="old" className="other-way">
      <button type="button" className="link" onClick={onLogin}>
        I already have an account
      </button>
    </p>
  ) : (
    <p key="new" className="other-way">
      New here?{' '}
      <button type="submit" className="link" name="how" value="createAccount">
        Create account
      </button>
    </p>
  )
}

import { useEffect, useRef, useState } from 'react'
import type { App } from '../../app.ts'
import { WHAT_IS_STORED } from '../../lib/messages.ts'
import type { Problem } from '../../net/api.ts'
import { CredentialsFields, credentialsOf } from '../controls/Field.tsx'
import { Form, type GetValue } from '../controls/Form.tsx'
import { Key } from '../controls/Key.tsx'

/**
 * Shows login mode. "Create account" signs up, or shows the sign-up form if a field is blank or refused.
 */
export function LoginForm({ app: { accounts, game, guests } }: { app: App }) {
  const [isNew, setIsNew] = useState(false)
  const [refused, setRefused] = useState<Problem | null>(null)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isNew) return
    const name = card.current?.querySelector<HTMLInputElement>('input[name="username"]')
    if (name?.value.trim() === '') name.value = guests.guest.get().username
    blankField(card.current)?.focus()
  }, [isNew, guests])

  const submit = async (getValue: GetValue) => {
    const isSignUp = isNew || getValue('how') === 'createAccount'
    if (isSignUp && !isNew && blankField(card.current) !== undefined) {
      switchTo(true)
      return null
    }
    const problem = await accounts.enter(isSignUp ? 'createAccount' : 'login', credentialsOf(getValue))
    setRefused(problem)
    if (problem !== null && isSignUp) setIsNew(true)
    return problem
  }
  const switchTo = (isNew: boolean) => {
    setIsNew(isNew)
    setRefused(null)
  }
  return (
    <div className="login" ref={card}>
      <Form
        submit={submit}
        buttonLabel={isNew ? 'Create account' : 'Login'}
        takesFocus
        labelledBy="login-title"
        problem={refused}
        onEdit={() => setRefused(null)}
        other={
          <>
            <OtherWay isNew={isNew} onLogin={() => switchTo(false)} />
            <div className="strip">
              <button type="button" className="link" onClick={() => game.show('main')}>
                Cancel
              </button>
              <Key name="Esc" />
            </div>
          </>
        }
      >
        <h2 id="login-title" className="form-title">
          {isNew ? 'A new account' : 'Login'}
        </h2>
        <CredentialsFields isNew={isNew} />
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

function blankField(card: HTMLElement | null): HTMLInputElement | undefined {
  const fields = card?.querySelectorAll('input') ?? []
  return Array.from(fields).find(({ value }) => value.trim() === '')
}

import { useEffect, useRef, useState } from 'react'
import type { Accounts } from '../accounts.ts'
import type { Problem } from '../api.ts'
import { WHAT_IS_STORED } from '../messages.ts'
import { CredentialsFields, credentialsOf } from './Field.tsx'
import { type Filled, Form } from './Form.tsx'

interface Props {
  accounts: Pick<Accounts, 'enter'>
  /** The suggested name of a new account. */
  guestName: string
  onCancel: () => void
}

/**
 * Login mode, for newcomers too. "Create account" signs up with what is filled in; if that is nothing, or is refused, the
 * form becomes a sign-up form.
 */
export function LoginForm({ accounts, guestName, onCancel }: Props) {
  const [isNew, setIsNew] = useState(false)
  const [refused, setRefused] = useState<Problem | null>(null)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isNew) return
    const name = card.current?.querySelector<HTMLInputElement>('input[name="username"]')
    if (name?.value.trim() === '') name.value = guestName
    blankField(card.current)?.focus()
  }, [isNew, guestName])

  const submit = async (filled: Filled) => {
    const creates = isNew || filled('how') === 'createAccount'
    if (creates && !isNew && blankField(card.current) !== undefined) {
      turnTo(true)
      return null
    }
    const problem = await accounts.enter(creates ? 'createAccount' : 'login', credentialsOf(filled))
    setRefused(problem)
    if (problem !== null && creates) setIsNew(true)
    return problem
  }
  const turnTo = (isNew: boolean) => {
    setIsNew(isNew)
    setRefused(null)
  }
  return (
    <div className="card form" ref={card}>
      <h2 id="login-title" className="form-title">
        {isNew ? 'A new account' : 'Log in, or create an account'}
      </h2>
      <Form
        submit={submit}
        verb={isNew ? 'Create account' : 'Login'}
        takesFocus
        labelledBy="login-title"
        problem={refused}
        other={
          <div className="form-foot">
            <OtherWay isNew={isNew} onOld={() => turnTo(false)} />
            <button type="button" className="quiet" onClick={onCancel}>
              Cancel
            </button>
          </div>
        }
      >
        <CredentialsFields isNew={isNew} />
        {isNew && <p className="hint">{WHAT_IS_STORED}</p>}
      </Form>
    </div>
  )
}

/** Separate elements: if one button replaced the other, the same click would press both. */
function OtherWay({ isNew, onOld }: { isNew: boolean; onOld: () => void }) {
  return isNew ? (
    <button key="old" type="button" className="quiet" onClick={onOld}>
      I already have an account
    </button>
  ) : (
    <button key="new" type="submit" className="quiet" name="how" value="createAccount">
      Create account
    </button>
  )
}

function blankField(card: HTMLElement | null): HTMLInputElement | undefined {
  const fields = card?.querySelectorAll('input') ?? []
  return Array.from(fields).find(({ value }) => value.trim() === '')
}

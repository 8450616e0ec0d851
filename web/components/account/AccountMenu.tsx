import { useEffect, useRef, useState } from 'react'
import type { GameProps } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import { WHAT_IS_STORED } from '../../messages.ts'
import type { Problem } from '../../net/api.ts'
import { PasswordField } from '../controls/Field.tsx'
import { Form, type GetValue } from '../controls/Form.tsx'
import './AccountMenu.css'

type Step = 'Account' | 'Change your password' | 'Delete your account'

const PASSWORD_CHANGED = 'Your password has been changed. You are logged out on all other devices.'

/** Shows a dialog to change the password or delete the account. */
export function AccountMenu({ app, session, onClose }: GameProps & { onClose: () => void }) {
  const { accounts } = app
  const { user, prize } = session
  const [step, setStep] = useState<Step>('Account')
  /** A message about the last change; empty before any change. */
  const [notice, setNotice] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const username = user?.username ?? ''

  useEffect(() => dialog.current?.showModal(), [])
  // A logout in any tab closes the menu.
  useEffect(() => {
    if (user === null) dialog.current?.close()
  }, [user])

  const open = (next: Step, message = '') => {
    setNotice(message)
    setProblem(null)
    setStep(next)
  }
  const changePassword = async (getValue: GetValue) => {
    const passwords = { password: getValue('password'), new_password: getValue('new_password') }
    const refusal = await accounts.changePassword(passwords)
    if (refusal === null) open('Account', PASSWORD_CHANGED)
    return refusal
  }
  const form = { problem, onProblem: setProblem, takesFocus: true }
  return (
    <dialog
      ref={dialog}
      className="card account"
      aria-labelledby="account-title"
      onClose={onClose}
      // Space must not start a round while the dialog is open.
      onKeyDown={event => event.stopPropagation()}
      onKeyUp={event => event.stopPropagation()}
    >
      <h2 id="account-title" className="form-title">
        {step}
      </h2>
      {step === 'Account' && <Menu username={username} notice={notice} onOpen={open} />}
      {step === 'Change your password' && (
        <Form {...form} submit={changePassword} buttonLabel="Change password">
          <UsernameForManagers username={username} />
          <PasswordField label="Current password" name="password" />
          <PasswordField
            label="New password"
            name="new_password"
            newHint=", and not a common password. You will be logged out on all other devices."
          />
        </Form>
      )}
      {step === 'Delete your account' && (
        <Form
          {...form}
          submit={get => accounts.deleteAccount(get('password'))}
          buttonLabel="Delete account"
          danger
        >
          <Warning taps={(user?.taps_balance ?? 0) + (prize?.taps ?? 0)} />
          <UsernameForManagers username={username} />
          <PasswordField label="Current password" name="password" />
        </Form>
      )}
      <button
        type="button"
        className="link"
        onClick={() => (step === 'Account' ? dialog.current?.close() : open('Account'))}
      >
        {step === 'Account' ? 'Close' : 'Back'}
      </button>
    </dialog>
  )
}

interface MenuProps {
  username: string
  notice: string
  onOpen: (step: Step) => void
}

function Menu({ username, notice, onOpen }: MenuProps) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <>
      <p className="account-name">
        <bdi>{username}</bdi>
      </p>
      <p className="account-done" role="status">
        {notice}
      </p>
      <button
        ref={first}
        type="button"
        className="account-row"
        onClick={() => onOpen('Change your password')}
      >
        Change password
      </button>
      <button type="button" className="link account-delete" onClick={() => onOpen('Delete your account')}>
        Delete account
      </button>
      <p className="hint">{WHAT_IS_STORED}</p>
    </>
  )
}

function Warning({ taps }: { taps: number }) {
  return (
    <p>
      <span>This cannot be undone. </span>
      {taps > 0 && <span>{`Your ${formatTaps(taps)} TAPS go back to the pool. `}</span>}
      <span>
        Your name disappears from the boards, and others may then take it. Your attempts stay, without your
        name.
      </span>
    </p>
  )
}

/** Tells password managers to which user the password belongs. */
function UsernameForManagers({ username }: { username: string }) {
  return <input type="text" autoComplete="username" value={username} readOnly hidden />
}

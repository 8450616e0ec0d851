import { useEffect, useRef, useState } from 'react'
import type { GameProps } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import { WHAT_IS_STORED } from '../../lib/messages.ts'
import { PasswordField, UsernameForManagers } from '../controls/Field.tsx'
import { Form, type Submit } from '../controls/Form.tsx'
import './AccountMenu.css'

type Step = 'menu' | 'password' | 'deletion'

const TITLES: Readonly<Record<Step, string>> = {
  menu: 'Account',
  password: 'Change your password',
  deletion: 'Delete your account',
}

const PASSWORD_CHANGED = 'Your password has been changed. You are logged out on all other devices.'

/** Shows a dialog to change the password or delete the account. */
export function AccountMenu({ app, session, onClose }: GameProps & { onClose: () => void }) {
  const { accounts, game } = app
  const { user, prize } = session
  const [owner] = useState(user)
  const [step, setStep] = useState<Step>('menu')
  /** A message about the last change; empty before any change. */
  const [notice, setNotice] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  const username = owner?.username ?? ''

  useEffect(() => dialog.current?.showModal(), [])
  // A logout in any tab closes the menu.
  const hasLoggedOut = user === null || user.id !== owner?.id
  useEffect(() => {
    if (hasLoggedOut) dialog.current?.close()
  }, [hasLoggedOut])

  const open = (next: Step, message = '') => {
    setNotice(message)
    setStep(next)
  }
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
        {TITLES[step]}
      </h2>
      {step === 'menu' && <Menu username={username} notice={notice} onOpen={open} />}
      {step === 'password' && (
        <PasswordForm
          username={username}
          submit={get => accounts.changePassword(get('password'), get('new_password'))}
          onDone={() => open('menu', PASSWORD_CHANGED)}
        />
      )}
      {step === 'deletion' && (
        <DeletionForm
          username={username}
          taps={(user?.taps_balance ?? 0) + (prize?.taps ?? 0)}
          submit={get => accounts.deleteAccount(get('password'))}
          onDone={() => game.show('main', 'Your account has been deleted.')}
        />
      )}
      <button
        type="button"
        className="link"
        onClick={() => (step === 'menu' ? dialog.current?.close() : open('menu'))}
      >
        {step === 'menu' ? 'Close' : 'Back'}
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
      <button ref={first} type="button" className="account-row" onClick={() => onOpen('password')}>
        Change password
      </button>
      <button type="button" className="link account-delete" onClick={() => onOpen('deletion')}>
        Delete account
      </button>
      <p className="hint">{WHAT_IS_STORED}</p>
    </>
  )
}

interface FormProps {
  username: string
  submit: Submit
  onDone: () => void
}

function PasswordForm({ username, ...form }: FormProps) {
  return (
    <Form {...form} buttonLabel="Change password" takesFocus>
      <UsernameForManagers username={username} />
      <PasswordField label="Current password" name="password" />
      <PasswordField
        label="New password"
        name="new_password"
        newHint=", and not a common password. You will be logged out on all other devices."
      />
    </Form>
  )
}

function DeletionForm({ username, taps, ...form }: FormProps & { taps: number }) {
  return (
    <Form {...form} buttonLabel="Delete account" danger takesFocus>
      <p>
        <span>This cannot be undone. </span>
        {taps > 0 && <span>{`Your ${formatTaps(taps)} TAPS go back to the pool. `}</span>}
        <span>
          Your name disappears from the boards, and others may then take it. Your attempts stay, without your
          name.
        </span>
      </p>
      <UsernameForManagers username={username} />
      <PasswordField label="Current password" name="password" />
    </Form>
  )
}

import { type RefObject, useEffect, useRef, useState } from 'react'
import type { GameProps } from '../../app.ts'
import { WHAT_IS_STORED } from '../../messages.ts'
import { DeleteAccountForm, PasswordForm } from './AccountForms.tsx'

type Step = 'Account' | 'Change your password' | 'Delete your account'

const PASSWORD_CHANGED = 'Your password has been changed. You are logged out on all other devices.'

/** Shows a dialog to change the password or delete the account. */
export function AccountMenu({ app, session, onClose }: GameProps & { onClose: () => void }) {
  const { user } = session
  const [step, setStep] = useState<Step>('Account')
  /** A message about the last change; empty before any change. */
  const [notice, setNotice] = useState('')
  const dialog = useOpenDialog(user !== null)
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
        {step}
      </h2>
      {step === 'Account' && <Menu username={user?.username ?? ''} notice={notice} onOpen={open} />}
      {step === 'Change your password' && (
        <PasswordForm app={app} session={session} onChanged={() => open('Account', PASSWORD_CHANGED)} />
      )}
      {step === 'Delete your account' && <DeleteAccountForm app={app} session={session} />}
      <div className="account-way-out">
        <button
          type="button"
          className="link"
          onClick={() => (step === 'Account' ? dialog.current?.close() : open('Account'))}
        >
          {step === 'Account' ? 'Close' : 'Back'}
        </button>
      </div>
    </dialog>
  )
}

/** Opens a dialog. A logout in any tab closes it. */
function useOpenDialog(isLoggedIn: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (!isLoggedIn) dialog.current?.close()
  }, [isLoggedIn])
  return dialog
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
      <button type="button" className="link" onClick={() => onOpen('Delete your account')}>
        Delete account
      </button>
      <p className="hint">{WHAT_IS_STORED}</p>
    </>
  )
}

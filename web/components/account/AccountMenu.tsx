import { useEffect, useRef, useState } from 'react'
import { createAccountSettings } from '../../account/account-settings.ts'
import type { App } from '../../app.ts'
import { WHAT_IS_STORED } from '../../lib/messages.ts'
import { useStore } from '../hooks/useStore.ts'
import { DeletionForm, PasswordForm } from './AccountForms.tsx'

type Step = 'menu' | 'password' | 'deletion'

type Props = Pick<App, 'accounts' | 'session' | 'game'>

/** Shows a dialog to change the password or delete the account. */
export function AccountMenu({ accounts, session, game, onClose }: Props & { onClose: () => void }) {
  const { user, prize } = useStore(session.state).session ?? { user: null, prize: null }
  const [owner] = useState(user)
  const [step, setStep] = useState<Step>('menu')
  const [notice, setNotice] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  const settings = createAccountSettings({ accounts, session, game })

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
      {step === 'menu' && <Menu username={owner?.username ?? ''} notice={notice} onOpen={open} />}
      {step === 'password' && (
        <PasswordForm
          username={owner?.username ?? ''}
          settings={settings}
          onDone={() =>
            open('menu', 'Your password has been changed. You are logged out on all other devices.')
          }
        />
      )}
      {step === 'deletion' && (
        <DeletionForm
          username={owner?.username ?? ''}
          taps={(user?.taps_balance ?? 0) + (prize?.taps ?? 0)}
          settings={settings}
          onDone={() => game.show('main', 'Your account has been deleted.')}
        />
      )}
      <button
        type="button"
        className="quiet"
        onClick={() => (step === 'menu' ? dialog.current?.close() : open('menu'))}
      >
        {step === 'menu' ? 'Close' : 'Back'}
      </button>
    </dialog>
  )
}

const TITLES: Readonly<Record<Step, string>> = {
  menu: 'Account',
  password: 'Change your password',
  deletion: 'Delete your account',
}

interface MenuProps {
  username: string
  /** A message about the last change; empty before any change. */
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
      <button type="button" className="quiet account-delete" onClick={() => onOpen('deletion')}>
        Delete account
      </button>
      <p className="hint">{WHAT_IS_STORED}</p>
    </>
  )
}

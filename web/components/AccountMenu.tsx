import { useEffect, useRef, useState } from 'react'
import { createAccountSettings } from '../account-settings.ts'
import type { App } from '../app.ts'
import { WHAT_IS_STORED } from '../messages.ts'
import { DeletionForm, PasswordForm } from './AccountForms.tsx'
import { useStore } from './useStore.ts'
import './AccountMenu.css'

type Step = 'menu' | 'password' | 'deletion'

type Props = Pick<App, 'accounts' | 'session' | 'game'>

/** Password change, deletion and privacy note of the account. */
export function AccountMenu({ accounts, session, game, onClose }: Props & { onClose: () => void }) {
  const { user, prize } = useStore(session.state).session ?? { user: null, prize: null }
  const [owner] = useState(user)
  const [step, setStep] = useState<Step>('menu')
  const [done, setDone] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  const settings = createAccountSettings({ accounts, session, game })

  useEffect(() => dialog.current?.showModal(), [])
  // A logout closes the menu, wherever it came from.
  const isOver = user === null || user.id !== owner?.id
  useEffect(() => {
    if (isOver) dialog.current?.close()
  }, [isOver])

  const open = (next: Step, news = '') => {
    setDone(news)
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
      {step === 'menu' && <Menu username={owner?.username ?? ''} done={done} onOpen={open} />}
      {step === 'password' && (
        <PasswordForm
          username={owner?.username ?? ''}
          settings={settings}
          onDone={() => open('menu', 'Your password is changed, and all other devices are logged out.')}
        />
      )}
      {step === 'deletion' && (
        <DeletionForm
          username={owner?.username ?? ''}
          taps={(user?.taps_balance ?? 0) + (prize?.taps ?? 0)}
          settings={settings}
          onDone={() => game.show('main', 'Your account is deleted.')}
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
  /** The last change, as a sentence; empty for none. */
  done: string
  onOpen: (step: Step) => void
}

function Menu({ username, done, onOpen }: MenuProps) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <>
      <p className="account-name">
        <bdi>{username}</bdi>
      </p>
      <p className="account-done" role="status">
        {done}
      </p>
      <button ref={first} type="button" className="account-row" onClick={() => onOpen('password')}>
        Change password
      </button>
      <button type="button" className="account-row danger" onClick={() => onOpen('deletion')}>
        Delete account
      </button>
      <p className="hint">{WHAT_IS_STORED}</p>
    </>
  )
}

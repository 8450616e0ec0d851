import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Accounts, Entrance } from './accounts.ts'
import type { Failure } from './api.ts'
import { CredentialsFields, FormError } from './Credentials.tsx'

interface Props {
  accounts: Accounts
  onCancel: () => void
}

/** Login mode. A username nobody has can become an account with one more press. */
export function LoginForm({ accounts, onCancel }: Props) {
  const [credentials, setCredentials] = useState({ username: '', password: '' })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const offersAccount = failure !== null && ACCOUNT_OFFERED.has(failure.code)

  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const enter = async (how: Entrance) => {
    setBusy(true)
    setFailure(await accounts.enter(how, credentials))
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void enter('login')
  }

  return (
    <form ref={form} className="card form" noValidate aria-labelledby="login-title" onSubmit={submit}>
      <h2 id="login-title" className="form-title">
        Welcome back
      </h2>
      <CredentialsFields credentials={credentials} isNew={offersAccount} onChange={setCredentials} />
      <button type="submit" className="primary" disabled={busy}>
        Login
      </button>
      <FormError failure={failure} />
      {offersAccount && (
        <button type="button" className="quiet" disabled={busy} onClick={() => enter('createAccount')}>
          Create account
        </button>
      )}
      <button type="button" className="quiet" onClick={onCancel}>
        Cancel
      </button>
    </form>
  )
}

/** The offer stays while its own refusals are put right. */
const ACCOUNT_OFFERED = new Set<Failure['code']>(['unknown_username', 'weak_password', 'bad_username'])

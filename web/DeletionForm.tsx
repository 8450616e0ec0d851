import { type FormEvent, useState } from 'react'
import type { Failure } from './api.ts'
import { FormError } from './Credentials.tsx'
import { formatTaps } from './format.ts'
import { PasswordField, UsernameForManagers } from './PasswordField.tsx'

interface Props {
  username: string
  /** What the account has, claimed or held. */
  taps: number
  remove: (password: string) => Promise<Failure | null>
  onDone: () => void
}

/** The last thing an account is asked: its password, after a plain warning. */
export function DeletionForm({ username, taps, remove, onDone }: Props) {
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const failed = await remove(password)
    setBusy(false)
    setFailure(failed)
    if (failed === null) onDone()
  }

  return (
    <form className="form-body" noValidate onSubmit={submit}>
      <p>
        This cannot be undone. {taps > 0 && `Your ${formatTaps(taps)} TAPS go back to the pool. `}
        Your name leaves the boards and may be taken by somebody else; your attempts stay without it.
      </p>
      <UsernameForManagers username={username} />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        isFirst
        onChange={setPassword}
      />
      <button type="submit" className="danger" disabled={busy}>
        Delete account
      </button>
      <FormError failure={failure} />
    </form>
  )
}

import { type FormEvent, useState } from 'react'
import { PASSWORD_MIN_LENGTH } from '../contract/rules.ts'
import type { Failure } from './api.ts'
import { FormError } from './Credentials.tsx'
import { PasswordField, UsernameForManagers } from './PasswordField.tsx'

interface Props {
  username: string
  change: (password: string, newPassword: string) => Promise<Failure | null>
  onDone: () => void
}

/** The old password and the new one. */
export function PasswordForm({ username, change, onDone }: Props) {
  const [password, setPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const failed = await change(password, newPassword)
    setBusy(false)
    setFailure(failed)
    if (failed === null) onDone()
  }

  return (
    <form className="form-body" noValidate onSubmit={submit}>
      <UsernameForManagers username={username} />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        isFirst
        onChange={setPassword}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN_LENGTH} characters, and none of the most common. All other devices are logged out.`}
        onChange={setNewPassword}
      />
      <button type="submit" className="primary" disabled={busy}>
        Change password
      </button>
      <FormError failure={failure} />
    </form>
  )
}

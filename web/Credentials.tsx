import { useId } from 'react'
import { NAME_MAX_LENGTH } from '../contract/name.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../contract/rules.ts'
import type { Credentials, Failure } from './api.ts'

interface Props {
  credentials: Credentials
  /** Whether the password is a new one: password managers then offer to make it, and the rules are shown. */
  isNew: boolean
  onChange: (credentials: Credentials) => void
}

/** Username and password. */
export function CredentialsFields({ credentials, isNew, onChange }: Props) {
  const id = useId()
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-username`}>Username</label>
        <input
          id={`${id}-username`}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          dir="auto"
          spellCheck={false}
          maxLength={NAME_MAX_LENGTH}
          value={credentials.username}
          onChange={event => onChange({ ...credentials, username: event.target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-password`}>Password</label>
        <input
          id={`${id}-password`}
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          maxLength={PASSWORD_MAX_LENGTH}
          aria-describedby={isNew ? `${id}-hint` : undefined}
          value={credentials.password}
          onChange={event => onChange({ ...credentials, password: event.target.value })}
        />
        {isNew && (
          <p className="hint" id={`${id}-hint`}>
            At least {PASSWORD_MIN_LENGTH} characters. There is no e-mail: a lost password cannot be
            recovered.
          </p>
        )}
      </div>
    </>
  )
}

/** Below a form, in red: what went wrong. Its place is always there. */
export function FormError({ failure }: { failure: Failure | null }) {
  return (
    <p className="error" role="alert">
      {failure?.title}
    </p>
  )
}

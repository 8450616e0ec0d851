import { useEffect, useId, useRef } from 'react'
import { PASSWORD_MAX_LENGTH } from '../contract/rules.ts'

interface Props {
  label: string
  autoComplete: 'current-password' | 'new-password'
  hint?: string
  /** It gets the focus when it appears. */
  isFirst?: boolean
  onChange: (password: string) => void
}

/** A password of somebody who is logged in. */
export function PasswordField({ label, autoComplete, hint, isFirst = false, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFirst) input.current?.focus()
  }, [isFirst])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="password"
        autoComplete={autoComplete}
        maxLength={PASSWORD_MAX_LENGTH}
        aria-describedby={hint && `${id}-hint`}
        onChange={event => onChange(event.target.value)}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** Tells password managers whose password this is; nobody else sees it. */
export function UsernameForManagers({ username }: { username: string }) {
  return <input type="text" autoComplete="username" value={username} readOnly hidden />
}

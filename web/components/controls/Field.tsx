import { type ComponentProps, useContext, useId } from 'react'
import { NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../contract/rules.ts'
import type { Credentials } from '../../net/api.ts'
import { FieldErrorContext, type GetValue } from './Form.tsx'

interface Props extends ComponentProps<'input'> {
  label: string
  hint?: string | undefined
}

function Field({ label, hint, ...input }: Props) {
  const id = useId()
  const error = useContext(FieldErrorContext)
  const errorId = error !== null && error.field === input.name ? error.messageId : undefined
  const hintId = hint && `${id}-hint`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={errorId !== undefined}
        aria-describedby={[hintId, errorId].filter(Boolean).join(' ') || undefined}
      />
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface PasswordProps {
  label: string
  name: string
  /** The text after the length in a new password's hint; undefined for an existing password. */
  newHint?: string | undefined
}

export function PasswordField({ label, name, newHint }: PasswordProps) {
  const isNew = newHint !== undefined
  return (
    <Field
      label={label}
      name={name}
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={PASSWORD_MAX_LENGTH}
      hint={isNew ? `At least ${PASSWORD_MIN_LENGTH} characters${newHint}` : undefined}
    />
  )
}

interface CredentialsProps extends Pick<PasswordProps, 'newHint'> {
  username?: string
}

export function CredentialsFields({ newHint, username }: CredentialsProps) {
  return (
    <>
      <Field
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        dir="auto"
        spellCheck={false}
        maxLength={NAME_MAX_LENGTH}
        defaultValue={username}
      />
      <PasswordField label="Password" name="password" newHint={newHint} />
    </>
  )
}

export function credentialsOf(getValue: GetValue): Credentials {
  return { username: getValue('username'), password: getValue('password') }
}

import { type ComponentProps, useContext, useId } from 'react'
import { NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import type { Credentials } from '../api.ts'
import { AtFault, type Filled } from './Form.tsx'

interface Props extends ComponentProps<'input'> {
  label: string
  hint?: string | undefined
}

function Field({ label, hint, ...input }: Props) {
  const id = useId()
  const fault = useContext(AtFault)
  const words = fault !== null && fault.field === input.name ? fault.words : undefined
  const described = [hint && `${id}-hint`, words].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={words !== undefined}
        aria-describedby={described === '' ? undefined : described}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface PasswordProps {
  label: string
  name: string
  /** Rules besides the length; makes password managers offer a new one. */
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

export function CredentialsFields({ isNew, username }: { isNew: boolean; username?: string }) {
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
      <PasswordField
        label="Password"
        name="password"
        newHint={isNew ? '. There is no e-mail: a lost password cannot be recovered.' : undefined}
      />
    </>
  )
}

export function credentialsOf(filled: Filled): Credentials {
  return { username: filled('username'), password: filled('password') }
}

/** Tells password managers whose password this is. */
export function UsernameForManagers({ username }: { username: string }) {
  return <input type="text" autoComplete="username" value={username} readOnly hidden />
}

import { useState } from 'react'
import type { GameProps } from '../../app.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Problem } from '../../net/api.ts'
import { PasswordField } from '../controls/Field.tsx'
import { Form, type GetValue } from '../controls/Form.tsx'

/** Changes the password of the user. */
export function PasswordForm({ app, session, onChanged }: GameProps & { onChanged: () => void }) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const changePassword = async (getValue: GetValue) => {
    const passwords = { password: getValue('password'), new_password: getValue('new_password') }
    const refusal = await app.accounts.changePassword(passwords)
    if (refusal === null) onChanged()
    return refusal
  }
  return (
    <Form
      problem={problem}
      onProblem={setProblem}
      takesFocus
      submit={changePassword}
      buttonLabel="Change password"
    >
      <UsernameForManagers session={session} />
      <PasswordField label="Current password" name="password" />
      <PasswordField
        label="New password"
        name="new_password"
        newHint=", and not a common password. You will be logged out on all other devices."
      />
    </Form>
  )
}

/** Deletes the account, after a warning. */
export function DeleteAccountForm({ app, session }: GameProps) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const { user, prize } = session
  return (
    <Form
      problem={problem}
      onProblem={setProblem}
      takesFocus
      submit={get => app.accounts.deleteAccount(get('password'))}
      buttonLabel="Delete account"
      quiet
    >
      <Warning taps={(user?.taps_balance ?? 0) + (prize?.taps ?? 0)} />
      <UsernameForManagers session={session} />
      <PasswordField label="Current password" name="password" />
    </Form>
  )
}

function Warning({ taps }: { taps: number }) {
  return (
    <p>
      <span>This cannot be undone. </span>
      {taps > 0 && <span>{`Your ${formatTaps(taps)} TAPS go back to the pool. `}</span>}
      <span>
        Your name disappears from the boards, and others may then take it. Your attempts stay, without your
        name.
      </span>
    </p>
  )
}

/** Tells password managers to which user the password belongs. */
function UsernameForManagers({ session: { user } }: Pick<GameProps, 'session'>) {
  return <input type="text" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
}

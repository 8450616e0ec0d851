import type { AccountSettings } from '../../account/account-settings.ts'
import { formatTaps } from '../../lib/format.ts'
import { PasswordField, UsernameForManagers } from '../controls/Field.tsx'
import { Form } from '../controls/Form.tsx'

interface Props {
  settings: AccountSettings
  username: string
  onDone: () => void
}

export function PasswordForm({ settings, username, onDone }: Props) {
  return (
    <Form
      submit={getValue => settings.changePassword(getValue('password'), getValue('new_password'))}
      onDone={onDone}
      buttonLabel="Change password"
      takesFocus
    >
      <UsernameForManagers username={username} />
      <PasswordField label="Current password" name="password" />
      <PasswordField
        label="New password"
        name="new_password"
        newHint=", and not a common password. You will be logged out on all other devices."
      />
    </Form>
  )
}

export function DeletionForm({ settings, username, onDone, taps }: Props & { taps: number }) {
  return (
    <Form
      submit={getValue => settings.deleteAccount(getValue('password'))}
      onDone={onDone}
      buttonLabel="Delete account"
      danger
      takesFocus
    >
      <p>
        <span>This cannot be undone. </span>
        {taps > 0 && <span>{`Your ${formatTaps(taps)} TAPS go back to the pool. `}</span>}
        <span>
          Your name disappears from the boards, and others may then take it. Your attempts stay, without your
          name.
        </span>
      </p>
      <UsernameForManagers username={username} />
      <PasswordField label="Current password" name="password" />
    </Form>
  )
}

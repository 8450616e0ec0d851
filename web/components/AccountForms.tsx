import type { AccountSettings } from '../account-settings.ts'
import { formatTaps } from '../format.ts'
import { PasswordField, UsernameForManagers } from './Field.tsx'
import { Form } from './Form.tsx'

interface Props {
  settings: AccountSettings
  username: string
  onDone: () => void
}

export function PasswordForm({ settings, username, onDone }: Props) {
  return (
    <Form
      submit={filled => settings.changePassword(filled('password'), filled('new_password'))}
      onDone={onDone}
      verb="Change password"
      takesFocus
    >
      <UsernameForManagers username={username} />
      <PasswordField label="Current password" name="password" />
      <PasswordField
        label="New password"
        name="new_password"
        newHint=", and none of the most common. All other devices are logged out."
      />
    </Form>
  )
}

export function DeletionForm({ settings, username, onDone, taps }: Props & { taps: number }) {
  return (
    <Form
      submit={filled => settings.deleteAccount(filled('password'))}
      onDone={onDone}
      verb="Delete account"
      danger
      takesFocus
    >
      <p>
        This cannot be undone. {taps > 0 && `Your ${formatTaps(taps)} TAPS go back to the pool. `}
        Your name leaves the boards and may be taken by somebody else; your attempts stay without it.
      </p>
      <UsernameForManagers username={username} />
      <PasswordField label="Current password" name="password" />
    </Form>
  )
}

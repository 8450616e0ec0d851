import { useState } from 'react'
import type { Prize, User } from '../contract/api.ts'
import { NAME_MAX_LENGTH } from '../contract/name.ts'
import type { Failure } from './api.ts'
import { formatTaps } from './format.ts'
import type { View } from './game.ts'
import type { Guest } from './guest.ts'
import { IconButton } from './IconButton.tsx'
import { SensesButton } from './SensesButton.tsx'
import type { Senses } from './senses.ts'
import { Title } from './Title.tsx'
import { useCountUp } from './useCountUp.ts'

interface Props {
  senses: Senses
  user: User | null
  guest: Guest
  prize: Prize | null
  view: View
  onRename: (username: string) => void
  onLogin: () => void
  onLogout: () => Promise<Failure | null>
  onClaim: () => void
  onAccount: () => void
}

const PERSON = 'M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5M5 20c.5-3.25 3.5-5 7-5s6.5 1.75 7 5'

/** Who plays, with how many TAPS, and the ways in and out. */
export function UserBar({ senses, user, guest, prize, view, onRename, ...on }: Props) {
  const { username, taps_balance } = user ?? guest
  const balance = formatTaps(useCountUp(taps_balance))
  return (
    <header className="bar">
      <div className="brand">
        <Title />
        <SensesButton senses={senses} />
      </div>
      <div className="who">
        {view === 'main' ? (
          <NameField username={username} readOnly={user !== null} onRename={onRename} />
        ) : (
          <bdi className="who-name">{username}</bdi>
        )}
        {user === null ? (
          <span className="tag">guest</span>
        ) : (
          <IconButton name="Account" path={PERSON} popup="dialog" onPress={on.onAccount} />
        )}
      </div>
      {/* Set anew for each width, so that it grows where it stands. */}
      <p key={balance.length} className="pill balance">
        <b>{balance}</b> TAPS
      </p>
      {prize !== null && view !== 'claim' && (
        <button type="button" className="pill chip" onClick={on.onClaim}>
          {formatTaps(prize.taps)} TAPS to claim
        </button>
      )}
      {user === null && view !== 'login' && (
        <button type="button" className="pill pill--action" onClick={on.onLogin}>
          Login
        </button>
      )}
      {user !== null && <LogoutButton onLogout={on.onLogout} />}
    </header>
  )
}

interface NameFieldProps {
  username: string
  readOnly: boolean
  onRename: (username: string) => void
}

function NameField({ username, readOnly, onRename }: NameFieldProps) {
  return (
    <input
      id="username"
      className="who-name"
      aria-label="Username"
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      maxLength={NAME_MAX_LENGTH}
      value={username}
      readOnly={readOnly}
      onChange={event => onRename(event.target.value)}
    />
  )
}

function LogoutButton({ onLogout }: { onLogout: () => Promise<Failure | null> }) {
  const [leaving, setLeaving] = useState(false)
  const logout = async () => {
    setLeaving(true)
    await onLogout()
    setLeaving(false)
  }
  return (
    <button type="button" className="pill pill--action" disabled={leaving} onClick={logout}>
      Logout
    </button>
  )
}

import type { User } from '../../contract/api.ts'
import { NAME_MAX_LENGTH } from '../../contract/rules.ts'
import type { App } from '../app.ts'
import { formatTaps } from '../format.ts'
import type { GameState } from '../game.ts'
import type { GuestBook } from '../guest.ts'
import type { PageSession } from '../session.ts'
import { IconButton } from './IconButton.tsx'
import { openAccountMenu } from './open-account-menu.ts'
import { SoundButton } from './SoundButton.tsx'
import { Title } from './Title.tsx'
import { useCountUp } from './useCountUp.ts'
import { useStore } from './useStore.ts'
import './UserBar.css'

interface Props {
  app: App
  session: PageSession
  state: GameState
}

const PERSON = 'M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5M5 20c.5-3.25 3.5-5 7-5s6.5 1.75 7 5'

/** Who plays, with how many TAPS, and the ways in and out. */
export function UserBar({ app, session, state }: Props) {
  const { game, guests, accounts, soundSettings } = app
  const { user, prize } = session
  const { view, changing } = state
  const guest = useStore(guests.guest)
  const { username, taps_balance } = user ?? guest
  const balance = formatTaps(useCountUp(taps_balance))
  return (
    <header className="bar" data-view={view}>
      <div className="brand">
        <Title />
        <SoundButton settings={soundSettings} />
      </div>
      <div className="pill who">
        {view === 'main' ? (
          <NameField guests={guests} user={user} />
        ) : (
          <bdi className="who-name">{username}</bdi>
        )}
        {user === null ? (
          <span className="tag">guest</span>
        ) : (
          <IconButton name="Account" path={PERSON} popup="dialog" onPress={() => openAccountMenu(app)} />
        )}
      </div>
      {/* Set anew for each width, so that it grows where it stands. */}
      <p key={balance.length} className="pill balance" data-quiet={user === null}>
        <b>{balance}</b> TAPS
      </p>
      {prize !== null && view !== 'claim' && (
        <button type="button" className="pill chip" onClick={() => game.show('claim')}>
          {formatTaps(prize.taps)} TAPS to claim
        </button>
      )}
      {user === null && view !== 'login' && (
        <button type="button" className="pill pill--action" onClick={() => game.show('login')}>
          Login
        </button>
      )}
      {user !== null && (
        <button type="button" className="pill pill--action" disabled={changing} onClick={accounts.logout}>
          Logout
        </button>
      )}
    </header>
  )
}

/** Only guests can change their name. */
function NameField({ guests, user }: { guests: GuestBook; user: User | null }) {
  const guest = useStore(guests.guest)
  return (
    <input
      id="username"
      className="who-name"
      aria-label="Username"
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      maxLength={NAME_MAX_LENGTH}
      value={(user ?? guest).username}
      readOnly={user !== null}
      onChange={event => guests.rename(event.target.value)}
    />
  )
}

import { useState } from 'react'
import type { GameProps } from '../../app.ts'
import { PAYOUT_MS } from '../../feel/motion.ts'
import { formatTaps } from '../../lib/format.ts'
import { MESSAGES } from '../../messages.ts'
import { Icon, IconButton } from '../controls/IconButton.tsx'
import { useCounted } from '../hooks/useCounted.ts'
import { usePart, useStore } from '../hooks/useStore.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { NameField } from './NameField.tsx'
import { SoundButton } from './SoundButton.tsx'
import { Title } from './Title.tsx'

const PERSON = 'M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5M5 20c.5-3.25 3.5-5 7-5s6.5 1.75 7 5'

const PENCIL = 'M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5'

/** Shows the player's name and balance, with login and logout. */
export function UserBar({ app, session }: GameProps) {
  const { game, shown } = app
  const { user } = session
  const view = usePart(shown, ({ view }) => view)
  const changing = usePart(shown, ({ changing }) => changing)
  const guest = useStore(app.guests.guest)
  const { username, taps_balance } = user ?? guest
  // Only a claim counts the balance; the same claim is still in view when another player's balance replaces it.
  const isClaimed = usePart(shown, ({ claimed }) => claimed?.user.taps_balance === taps_balance)
  const balance = formatTaps(useCounted(taps_balance, isClaimed, PAYOUT_MS))
  const [hasMenu, setHasMenu] = useState(false)
  // Ends a running round, because the dialog covers the Stop button.
  const openMenu = () => {
    game.abandon(MESSAGES.interrupted)
    setHasMenu(true)
  }
  const logOut = async () => {
    const problem = await app.accounts.logout()
    if (problem) game.show('main', problem.title)
  }
  return (
    <header className="bar">
      <div className="brand">
        <Title />
        <SoundButton cues={app.cues} />
      </div>
      <div className="pill who" data-editable={user === null && view === 'main'}>
        {view === 'main' ? <NameField app={app} user={user} /> : <bdi className="who-name">{username}</bdi>}
        {user !== null && <IconButton name="Account" path={PERSON} popup="dialog" onPress={openMenu} />}
        {user === null && view === 'main' && <Icon path={PENCIL} />}
      </div>
      <p className="pill balance">
        <b>{balance}</b> TAPS
      </p>
      {user === null && view !== 'login' && (
        <button type="button" className="pill pill--action" onClick={() => game.show('login')}>
          Login
        </button>
      )}
      {user === null && view === 'login' && (
        // Keeps the button's place. In login mode, only the form may have a button named "Login".
        <span className="pill pill--action" aria-hidden="true">
          Login
        </span>
      )}
      {user !== null && (
        <button type="button" className="pill pill--action" disabled={changing} onClick={logOut}>
          Logout
        </button>
      )}
      {hasMenu && <AccountMenu app={app} session={session} onClose={() => setHasMenu(false)} />}
    </header>
  )
}

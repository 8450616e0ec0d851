import type { User } from '../../../contract/api.ts'
import { NAME_MAX_LENGTH } from '../../../contract/rules.ts'
import { focusPlay } from '../../feel/focus.ts'
import { isComposing } from '../../feel/keys.ts'
import type { Store } from '../../lib/store.ts'
import type { GameState } from '../../round/game.ts'
import type { GuestProfile } from '../../session/guest.ts'
import { usePart, useStore } from '../hooks/useStore.ts'

interface Props {
  guests: GuestProfile
  user: User | null
  shown: Store<GameState>
}

const REASON = 'name-reason'

export function NameField({ guests, user, shown }: Props) {
  const nameProblem = usePart(shown, ({ nameProblem }) => nameProblem)
  const guest = useStore(guests.guest)
  const problem = user === null ? nameProblem : null
  return (
    <>
      <input
        id="username"
        className="who-name"
        aria-label="Username"
        aria-invalid={problem !== null}
        aria-describedby={REASON}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        maxLength={NAME_MAX_LENGTH}
        value={(user ?? guest).username}
        readOnly={user !== null}
        onChange={({ target }) => guests.rename(target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
          // Stops Enter from also pressing the newly focused button.
          event.preventDefault()
          focusPlay()
        }}
      />
      <p id={REASON} className="name-reason" role="status">
        {problem}
      </p>
    </>
  )
}

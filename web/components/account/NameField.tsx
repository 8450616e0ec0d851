import type { User } from '../../../contract/api.ts'
import { isNameTooLong } from '../../../contract/name.ts'
import { NAME_LIMIT, NAME_MAX_LENGTH } from '../../../contract/rules.ts'
import type { App } from '../../app.ts'
import { focusPlay } from '../../feel/focus.ts'
import { isComposing } from '../../lib/page-events.ts'
import { usePart, useStore } from '../hooks/useStore.ts'

export function NameField({ app: { guests, shown }, user }: { app: App; user: User | null }) {
  const guest = useStore(guests.guest)
  const nameProblem = usePart(shown, ({ nameProblem }) => nameProblem)
  const problem = user === null ? (nameProblem ?? (isNameTooLong(guest.username) ? NAME_LIMIT : null)) : null
  return (
    <>
      <input
        id="username"
        className="who-name"
        aria-label="Username"
        aria-invalid={problem !== null}
        aria-describedby="name-reason"
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
      <p id="name-reason" className="name-reason" role="status">
        {problem}
      </p>
    </>
  )
}

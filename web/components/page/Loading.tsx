import { RULE } from '../../messages.ts'
import type { Waiting } from '../../session/session.ts'
import { Title } from '../account/Title.tsx'
import { useNow } from '../hooks/useTime.ts'

/** Repeats the loading text of index.html, which React replaces, and says why the game does not start. */
export function Loading({ waiting }: { waiting: Waiting | null }) {
  return (
    <div className="page">
      <header className="bar">
        <div className="brand">
          <Title />
        </div>
      </header>
      <main className="loading">
        <p>Loading...</p>
        <p className="loading-rule">{RULE}</p>
        {waiting === 'unreachable' && <p role="status">The server cannot be reached yet; trying again.</p>}
        {typeof waiting === 'number' && <Queue triesAt={waiting} />}
      </main>
    </div>
  )
}

/** Counts down to the next try. Screen readers announce only the reason. */
function Queue({ triesAt }: { triesAt: number }) {
  const seconds = Math.max(1, Math.ceil((triesAt - useNow()) / 1_000))
  return (
    <p>
      <span role="status">Many people are joining from here.</span>{' '}
      <span>{`You are next in ${seconds} s.`}</span>
    </p>
  )
}

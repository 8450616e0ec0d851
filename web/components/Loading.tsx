import { RULE } from '../messages.ts'
import { Title } from './Title.tsx'
import './Loading.css'

/** Repeats the loading text of index.html, which React replaces, and reports an unreachable server. */
export function Loading({ unreachable }: { unreachable: boolean }) {
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
        {unreachable && <p role="status">The server cannot be reached yet; trying again.</p>}
      </main>
    </div>
  )
}

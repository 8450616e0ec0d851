import { useEffect } from 'react'

/** The time after which a wall display reloads. */
const RELOAD_MS = 30_000

/**
 * Says that the page cannot be shown, for example because an extension removes its elements again and again. An
 * attempt that is not yet recorded stays in the browser, so a reload sends it again.
 */
export function Broken({ isWall }: { isWall: boolean }) {
  useEffect(() => {
    if (!isWall) return
    const timer = setTimeout(() => location.reload(), RELOAD_MS)
    return () => clearTimeout(timer)
  }, [isWall])
  return (
    <main className="loading" role="alert">
      <h1 className="loading-rule">Something went wrong.</h1>
      {!isWall && (
        <button type="button" className="primary" onClick={() => location.reload()}>
          Reload
        </button>
      )}
    </main>
  )
}

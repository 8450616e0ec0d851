import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const TICK_MS = 10

globalThis.results = []

/** The stopwatch of many tutorials: ticks set the state, and Stop takes what the state says. */
function Stopwatch() {
  const [startedAt, setStartedAt] = useState(null)
  const [elapsed, setElapsed] = useState(0)

  useEffect(() => {
    if (startedAt === null) return
    const timer = setInterval(() => setElapsed(Date.now() - startedAt), TICK_MS)
    return () => clearInterval(timer)
  }, [startedAt])

  const press = () => {
    if (startedAt === null) {
      setElapsed(0)
      setStartedAt(Date.now())
      return
    }
    globalThis.results.push(elapsed)
    setStartedAt(null)
  }
  return (
    <button type="button" onClick={press}>
      {startedAt === null ? 'Start' : 'Stop'} {elapsed}
    </button>
  )
}

createRoot(document.getElementById('root')).render(<Stopwatch />)

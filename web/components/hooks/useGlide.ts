import { useEffect, useState } from 'react'

/** Returns true until the first press of a first visit. */
export function useGlide(isFirstVisit: boolean): boolean {
  const [glides, setGlides] = useState(isFirstVisit)
  useEffect(() => {
    if (!glides) return
    const undo = new AbortController()
    const end = () => setGlides(false)
    for (const press of ['pointerdown', 'keydown']) addEventListener(press, end, { signal: undo.signal })
    return () => undo.abort()
  }, [glides])
  return glides
}

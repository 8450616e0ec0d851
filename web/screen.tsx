import { type ReactNode, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Broken } from './components/page/Broken.tsx'

/** This many failures within this time mean that a fresh start does not help. */
const MOST_FAILURES = 3
const FAILURES_WITHIN_MS = 2_000

/**
 * Renders the page into `#root`. Extensions and filters remove elements, after which React either throws or shows
 * nothing. A fresh `#root` then takes the place of the old one, because React cannot clean up elements that are
 * gone. State lives outside React, so the game goes on.
 *
 * @param isWall - Returns true for a screen that nobody operates.
 */
export function openScreen(isWall: () => boolean) {
  let content: ReactNode = null
  let failures: number[] = []
  let hasGivenUp = false
  let element = document.getElementById('root') ?? addElement()
  let root = start(element)
  const observer = new MutationObserver(() => {
    if (!element.isConnected || (content !== null && element.childElementCount === 0)) recover(element)
  })
  watch()

  function start(into: HTMLElement): Root {
    const onUncaughtError = (error: unknown) => {
      // An old root cannot remove elements that are gone.
      if (into !== element) return
      reportError(error)
      // React is still at work.
      queueMicrotask(() => recover(into))
    }
    return createRoot(into, { onUncaughtError })
  }

  /** Watches for the removal of `#root` and of its content, which React does not notice. */
  function watch(): void {
    observer.disconnect()
    observer.observe(document.body, { childList: true })
    observer.observe(element, { childList: true })
  }

  function recover(failed: HTMLElement): void {
    if (failed !== element || hasGivenUp) return
    const now = performance.now()
    failures = [...failures.filter(at => now - at < FAILURES_WITHIN_MS), now]
    const old = root
    element = addElement(failed)
    root = start(element)
    end(old)
    if (failures.length < MOST_FAILURES) watch()
    else {
      hasGivenUp = true
      observer.disconnect()
      content = <Broken isWall={isWall()} />
    }
    show()
  }

  function show(): void {
    root.render(<StrictMode>{content}</StrictMode>)
  }

  return {
    render(next: ReactNode): void {
      content = next
      show()
    },
  }
}

/** Adds a fresh `#root`, in the place of an old one that is still in the page. */
function addElement(old: HTMLElement | null = null): HTMLElement {
  const fresh = document.createElement('div')
  fresh.id = 'root'
  if (old?.isConnected) old.replaceWith(fresh)
  else document.body.prepend(fresh)
  return fresh
}

/** Ends the listeners and timers of the old components. */
function end(root: Root): void {
  try {
    root.unmount()
  } catch {
    // The elements are gone.
  }
}

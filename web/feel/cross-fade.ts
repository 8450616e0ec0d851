import { prefersReducedMotion } from './motion.ts'

/**
 * Calls `show`, and fades out a copy of the page as it was before. Leaves out the boards, which no view replaces.
 * View transitions would pause the page and show an empty frame in screenshots.
 */
export function crossFade(show: () => void): void {
  const page = document.querySelector('.page')
  if (page !== null && !document.hidden && !prefersReducedMotion()) fadeOut(copyOf(page))
  show()
}

function copyOf(page: Element): HTMLElement {
  const copy = document.createElement('div')
  copy.className = 'fading'
  copy.inert = true
  copy.ariaHidden = 'true'
  copy.append(page.cloneNode(true))
  copy.querySelector('.boards')?.remove()
  return copy
}

function fadeOut(copy: HTMLElement): void {
  document.body.append(copy)
  for (const animation of copy.getAnimations({ subtree: true })) {
    const isFade = animation.effect instanceof KeyframeEffect && animation.effect.target === copy
    if (isFade) void animation.finished.finally(() => copy.remove())
    // The copied elements must not repeat their animations.
    else animation.cancel()
  }
}

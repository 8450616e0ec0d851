import { prefersReducedMotion } from './motion.ts'

/**
 * Calls `show`, and fades out a copy of the page as it was before. Leaves out the boards, which no view replaces.
 * View transitions would pause the page and show an empty frame in screenshots.
 */
export function crossFade(show: () => void): void {
  const page = document.querySelector('#root > .page')
  if (page !== null && !document.hidden && !prefersReducedMotion()) fadeOut(page.cloneNode(true) as Element)
  show()
}

/** Fades a copy out in a closed shadow tree, so that no script or translator finds its elements twice. */
function fadeOut(copy: Element): void {
  copy.querySelector('.boards')?.remove()
  const host = document.createElement('div')
  host.className = 'fading'
  host.inert = true
  host.ariaHidden = 'true'
  const shadow = host.attachShadow({ mode: 'closed' })
  shadow.adoptedStyleSheets = [copyOfStyles()]
  shadow.append(copy)
  document.body.append(host)
  // The copied elements must not repeat their animations.
  for (const animation of shadow.getAnimations()) animation.cancel()
  for (const fade of host.getAnimations()) void fade.finished.finally(() => host.remove())
}

let styles: CSSStyleSheet | undefined

function copyOfStyles(): CSSStyleSheet {
  if (styles !== undefined) return styles
  const rules = Array.from(document.styleSheets).flatMap(({ cssRules }) => Array.from(cssRules))
  styles = new CSSStyleSheet()
  styles.replaceSync(rules.map(({ cssText }) => cssText).join('\n'))
  return styles
}

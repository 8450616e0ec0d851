/**
 * Returns true if a key or click belongs to the page. Extensions add fields and dialogs outside `#root`, often
 * in shadow roots, whose events seem to come from the element around the shadow root.
 */
export function isInPage(target: EventTarget | null): boolean {
  if (target === document.body || target === document.documentElement) return true
  return target instanceof Element && target.closest('#root') !== null
}

/** Returns true for a key that an input method uses. Safari reports the last one only by its code, 229. */
export function isComposing({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229
}

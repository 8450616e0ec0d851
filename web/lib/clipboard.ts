/** Copies a text. Resolves to false where the browser has no clipboard, as over plain HTTP, or refuses. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

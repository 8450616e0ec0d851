/** Marks the key that presses a button; visual only, and only where there is a keyboard. */
export function Key({ name }: { name: 'Space' | 'Enter' | 'Esc' }) {
  return (
    <span className="key" aria-hidden="true">
      {name}
    </span>
  )
}

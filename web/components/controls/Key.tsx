/** Shows which key presses a button. */
export function Key({ name }: { name: 'Space' | 'Enter' | 'Esc' }) {
  return (
    <span className="key" aria-hidden="true">
      {name}
    </span>
  )
}

/** Marks the button that Space presses; visual only, and only where there is a keyboard. */
export function SpaceKey() {
  return (
    <span className="key" aria-hidden="true">
      Space
    </span>
  )
}

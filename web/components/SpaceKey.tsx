/** On the button that Space presses; for the eye, and where there is a keyboard. */
export function SpaceKey() {
  return (
    <span className="key" aria-hidden="true">
      Space
    </span>
  )
}

import type { MouseEvent } from 'react'
import './IconButton.css'

interface Props {
  name: string
  /** SVG paths in a square of 24. */
  path: string
  /** For a switch: whether it is on. */
  pressed?: boolean
  /** For a button that opens something. */
  popup?: 'dialog'
  /** Shows its name beside the icon. */
  isNamed?: boolean
  onPress: () => void
}

/** A small icon button. Its name is its tooltip and what a screen reader says. */
export function IconButton({ name, path, pressed, popup, isNamed, onPress }: Props) {
  const onClick = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    // After a click, Space belongs to the game again.
    if (detail > 0) currentTarget.blur()
    onPress()
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={name}
      aria-pressed={pressed}
      aria-haspopup={popup}
      title={name}
      onClick={onClick}
    >
      <Icon path={path} />
      {isNamed && <span className="icon-name">{name}</span>}
    </button>
  )
}

export function Icon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

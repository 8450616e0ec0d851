import type { MouseEvent } from 'react'

interface Props {
  name: string
  /** SVG path data for a view box of 24 × 24. */
  path: string
  pressed?: boolean
  popup?: 'dialog'
  isNamed?: boolean
  onPress: () => void
}

/** Shows an icon button whose name is also the tooltip. */
export function IconButton({ name, path, pressed, popup, isNamed, onPress }: Props) {
  const onClick = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    // Removes the focus after a click, so that Space plays again.
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

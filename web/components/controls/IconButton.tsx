import type { ReactNode } from 'react'
import { PressButton } from './PressButton.tsx'

interface Props {
  name: string
  /** SVG path data for a view box of 24 × 24. */
  path: string
  pressed?: boolean
  popup?: 'dialog'
  /** What stands before the icon. */
  label?: ReactNode
  onPress: () => void
}

/** Shows an icon button whose name is also the tooltip. */
export function IconButton({ name, path, pressed, popup, label, onPress }: Props) {
  return (
    <PressButton
      className="icon-button"
      aria-label={name}
      aria-pressed={pressed}
      aria-haspopup={popup}
      title={name}
      onPress={onPress}
    >
      {label && <span className="icon-name">{label}</span>}
      <Icon path={path} />
    </PressButton>
  )
}

export function Icon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

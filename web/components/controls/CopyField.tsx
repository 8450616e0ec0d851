import type { KeyboardEvent } from 'react'
import { focusPlay } from '../../feel/focus.ts'

interface Props {
  name: string
  text: string
  /** Called when the player leaves the field. */
  onClose: () => void
}

/** Shows a selected text for the player to copy, where the browser did not let the page copy it. */
export function CopyField({ name, text, onClose }: Props) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
    // Space plays again.
    focusPlay()
  }
  return <input ref={select} aria-label={name} readOnly value={text} onBlur={onClose} onKeyDown={onKeyDown} />
}

function select(input: HTMLInputElement | null): void {
  input?.focus({ preventScroll: true })
  input?.select()
}

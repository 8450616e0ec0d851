import type { ComponentProps, MouseEvent } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'onClick'> {
  onPress: () => void
}

/** A button that loses the focus after a click or tap, so that Space plays again. */
export function PressButton({ onPress, ...rest }: Props) {
  const onClick = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    if (detail > 0) currentTarget.blur()
    onPress()
  }
  return <button {...rest} type="button" onClick={onClick} />
}

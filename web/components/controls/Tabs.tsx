import { type KeyboardEvent, useRef } from 'react'
import { PressButton } from './PressButton.tsx'

interface Props<Id extends string> {
  /** The accessible name of the list of tabs. */
  label: string
  /** The tabs by ID, in order. */
  tabs: Readonly<Record<Id, string>>
  chosen: Id
  onChoose: (id: Id) => void
  className: string
  /** The ID of the element that shows the chosen tab's contents. */
  panel: string
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Switches between tabs, also with the arrow keys, as screen reader users expect. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, className, panel }: Props<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const ids = Object.keys(tabs) as Id[]
  const move = ({ key }: KeyboardEvent) => {
    const step = STEPS[key]
    const next = step && ids.at((ids.indexOf(chosen) + step) % ids.length)
    if (!next) return
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <div ref={list} className={className} role="tablist" aria-label={label} onKeyDown={move}>
      {ids.map(id => (
        <PressButton
          key={id}
          id={`tab-${id}`}
          role="tab"
          aria-selected={id === chosen}
          aria-controls={panel}
          tabIndex={id === chosen ? 0 : -1}
          onPress={() => onChoose(id)}
        >
          <span>{tabs[id]}</span>
        </PressButton>
      ))}
    </div>
  )
}

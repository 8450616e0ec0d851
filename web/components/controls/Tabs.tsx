import { type KeyboardEvent, type MouseEvent, useRef } from 'react'

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
  /** Whether a click gives the focus back, so that Space plays again. */
  releasesFocus?: boolean
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Switches between tabs, also with the arrow keys, as screen reader users expect. */
export function Tabs<Id extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  className,
  panel,
  releasesFocus,
}: Props<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const ids = Object.keys(tabs) as Id[]
  const move = ({ key }: KeyboardEvent) => {
    const step = STEPS[key]
    const next = step && ids.at((ids.indexOf(chosen) + step) % ids.length)
    if (!next) return
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  const press = (id: Id) => (event: MouseEvent<HTMLButtonElement>) => {
    if (releasesFocus && event.detail > 0) event.currentTarget.blur()
    onChoose(id)
  }
  return (
    <div ref={list} className={className} role="tablist" aria-label={label} onKeyDown={move}>
      {ids.map(id => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          aria-controls={panel}
          tabIndex={id === chosen ? 0 : -1}
          onClick={press(id)}
        >
          <span>{tabs[id]}</span>
        </button>
      ))}
    </div>
  )
}

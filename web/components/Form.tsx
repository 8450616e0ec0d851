import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Problem } from '../api.ts'
import './Form.css'

/** What is filled in, by the name of its field, or the value of the button that was pressed, by its name. */
export type Filled = (name: string) => string

interface Props {
  /** Answers null when it is done, or what went wrong. */
  submit: (filled: Filled) => Promise<Problem | null>
  onDone?: () => void
  /** On its button; what went wrong is of the verb it was pressed with. */
  verb: string
  /** What it does cannot be undone. */
  danger?: boolean
  /** Its first field gets the focus when it appears. */
  takesFocus?: boolean
  /** The id of its heading. */
  labelledBy?: string
  /** What went wrong before, with another verb or in the form whose place this one took. */
  earlier?: Problem | null
  children?: ReactNode
  /** Another button, below the problem. */
  other?: ReactNode
}

/** Fields, a button, and below it, in red, what went wrong. */
export function Form({ submit, onDone, verb, danger, takesFocus = false, earlier = null, ...rest }: Props) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<{ verb: string; problem: Problem } | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }, [takesFocus])

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const values = new FormData(event.currentTarget, event.nativeEvent.submitter)
    setBusy(true)
    const problem = await submit(name => String(values.get(name)))
    setBusy(false)
    setFailed(problem && { verb, problem })
    if (problem === null) onDone?.()
  }
  const problem = failed?.verb === verb ? failed.problem : earlier
  return (
    <form ref={form} className="form-body" noValidate aria-labelledby={rest.labelledBy} onSubmit={onSubmit}>
      {rest.children}
      <button type="submit" className={danger ? 'primary danger' : 'primary'} disabled={busy}>
        {verb}
      </button>
      {/* Its place is always there. */}
      <p className="error" role="alert">
        {problem?.title}
      </p>
      {rest.other}
    </form>
  )
}

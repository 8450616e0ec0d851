import { createContext, type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import type { Problem } from '../api.ts'
import { Key } from './Key.tsx'
import './Form.css'

/** The values of the fields, and of the button that was pressed, by name. */
export type Filled = (name: string) => string

/** The name of the field that a problem is about, and the id of its message. */
export const AtFault = createContext<{ readonly field: string; readonly words: string } | null>(null)

interface Props {
  /** Resolves to null on success, else to what went wrong. */
  submit: (filled: Filled) => Promise<Problem | null>
  onDone?: () => void
  /** The label of its button. A problem is shown for the verb that was pressed. */
  verb: string
  /** A class for its button, and the id of what describes it besides its verb. With these Space presses it at once. */
  buttonClass?: string
  describedBy?: string
  /** Its action cannot be undone. */
  danger?: boolean
  /** Focuses its first field when it appears. */
  takesFocus?: boolean
  /** The id of its heading. */
  labelledBy?: string
  /** What went wrong, where the parent keeps it: for another verb, or for the form that this one replaced. */
  problem?: Problem | null
  children?: ReactNode
  /** Another button, below the first. */
  other?: ReactNode
}

/** Fields, in red what went wrong, and a button. The field at fault gets the focus. */
export function Form({ submit, onDone, verb, danger, takesFocus = false, ...rest }: Props) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<{ verb: string; problem: Problem } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const words = useId()
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }, [takesFocus])

  const own = failed?.verb === verb ? failed.problem : null
  const problem = rest.problem === undefined ? own : rest.problem
  useEffect(() => {
    const field = problem && form.current && fieldAtFault(form.current, problem)
    setFault(field?.name ?? null)
    if (problem === null) return
    const button = form.current?.querySelector<HTMLElement>('.primary')
    ;(field ?? button)?.focus()
  }, [problem])

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
  return (
    <form ref={form} className="form-body" noValidate aria-labelledby={rest.labelledBy} onSubmit={onSubmit}>
      {rest.children && (
        <div className="fields">
          <AtFault value={fault === null ? null : { field: fault, words }}>{rest.children}</AtFault>
          <ErrorLine id={words} problem={problem} />
        </div>
      )}
      <button
        type="submit"
        className={['primary', danger && 'danger', rest.buttonClass].filter(Boolean).join(' ')}
        aria-describedby={rest.describedBy}
        disabled={busy}
      >
        <span>
          {verb}
          <Key name={rest.buttonClass === undefined ? 'Enter' : 'Space'} />
        </span>
      </button>
      {rest.children ? (
        rest.other
      ) : (
        <div className="strip strip--centre">
          <ErrorLine id={words} problem={problem} />
          {rest.other}
        </div>
      )}
    </form>
  )
}

/** Always present, so that nothing moves when it fills. */
function ErrorLine({ id, problem }: { id: string; problem: Problem | null }) {
  return (
    <p className="error" role="alert" id={id}>
      {problem?.title}
    </p>
  )
}

/** The fields that each problem can be about; the first that the form has is meant. */
const FIELDS: Partial<Record<Problem['code'], readonly string[]>> = {
  bad_username: ['username'],
  unknown_username: ['username'],
  username_taken: ['username'],
  invalid_password: ['password'],
  weak_password: ['new_password', 'password'],
}

function fieldAtFault(form: HTMLFormElement, { code }: Problem): HTMLInputElement | null {
  const fields = Array.from(form.querySelectorAll<HTMLInputElement>('input[name]'))
  if (code === 'missing_credentials') return fields.find(({ value }) => value.trim() === '') ?? null
  const [name] = FIELDS[code]?.filter(name => fields.some(field => field.name === name)) ?? []
  return fields.find(field => field.name === name) ?? null
}

import { createContext, type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import type { Problem } from '../api.ts'
import { Key } from './Key.tsx'
import './Form.css'

/** Values of the fields and of the pressed button, by name. */
export type Filled = (name: string) => string

/** The field at fault, and the id of its message. */
export const AtFault = createContext<{ readonly field: string; readonly words: string } | null>(null)

interface Props {
  /** Resolves to null on success, else to the problem. */
  submit: (filled: Filled) => Promise<Problem | null>
  onDone?: () => void
  /** The label of the button. A problem is shown only for its verb. */
  verb: string
  /** A class for the button. A view that has it is confirmed by Space. */
  buttonClass?: string
  describedBy?: string
  danger?: boolean
  takesFocus?: boolean
  labelledBy?: string
  /** A problem that the parent keeps; replaces the one of the form. */
  problem?: Problem | null
  children?: ReactNode
  /** Another button, below the first one. */
  other?: ReactNode
}

/** Shows fields, a problem and a button. The field at fault gets the focus. */
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

/** Always mounted, so that screen readers announce its text. */
function ErrorLine({ id, problem }: { id: string; problem: Problem | null }) {
  return (
    <p className="error" role="alert" id={id}>
      {problem?.title}
    </p>
  )
}

/** Candidate fields of each problem, most likely first. */
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

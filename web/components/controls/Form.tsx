import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { isComposing } from '../../feel/focus.ts'
import type { Problem } from '../../net/api.ts'
import { ButtonLabel } from './Key.tsx'

/** Returns the value of a field, or of the pressed button, by name. */
export type GetValue = (name: string) => string

/** Resolves to null on success, else to the problem. */
export type Submit = (getValue: GetValue) => Promise<Problem | null>

/** The name of the invalid field and the ID of its message; null when no field is invalid. */
export const FieldErrorContext = createContext<{ readonly field: string; readonly messageId: string } | null>(
  null,
)

interface Props {
  submit: Submit
  onDone?: () => void
  /** Runs after an edit has removed the form's own problem. */
  onEdit?: () => void
  /** A new label hides the form's problem. */
  buttonLabel: string
  /** A button with a class shows the Space mark instead of the Enter mark. */
  buttonClass?: string
  describedBy?: string
  danger?: boolean
  takesFocus?: boolean
  labelledBy?: string
  /** A problem from the parent, shown instead of the form's own. */
  problem?: Problem | null
  children?: ReactNode
  /** Elements below the submit button. */
  other?: ReactNode
}

/** Shows fields, a problem and a button. A problem moves the focus to the invalid field or the button. */
export function Form({ submit, onDone, buttonLabel, danger, takesFocus = false, ...rest }: Props) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<{ buttonLabel: string; problem: Problem } | null>(null)
  const [invalidField, setInvalidField] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const messageId = useId()
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }, [takesFocus])

  const own = failed?.buttonLabel === buttonLabel ? failed.problem : null
  const problem = rest.problem === undefined ? own : rest.problem
  useEffect(() => {
    const field = problem && form.current && findInvalidField(form.current, problem)
    setInvalidField(field?.name ?? null)
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
    setFailed(problem && { buttonLabel, problem })
    if (problem === null) onDone?.()
  }
  const onInput = () => {
    setFailed(null)
    rest.onEdit?.()
  }
  /** Always mounted, so that screen readers announce the problem. */
  const errorLine = (
    <p className="error" role="alert" id={messageId}>
      {problem?.title}
    </p>
  )
  return (
    // If a script submits the form past the page, `post` keeps the password out of the address.
    <form
      ref={form}
      method="post"
      className="form-body"
      noValidate
      aria-labelledby={rest.labelledBy}
      onInput={onInput}
      onKeyDown={ignoreComposedEnter}
      onSubmit={onSubmit}
    >
      {rest.children && (
        <div className="fields">
          <FieldErrorContext value={invalidField === null ? null : { field: invalidField, messageId }}>
            {rest.children}
          </FieldErrorContext>
          {errorLine}
        </div>
      )}
      <button
        type="submit"
        className={['primary', danger && 'danger', rest.buttonClass].filter(Boolean).join(' ')}
        aria-describedby={rest.describedBy}
        disabled={busy}
      >
        <ButtonLabel text={buttonLabel} keyName={rest.buttonClass === undefined ? 'Enter' : 'Space'} />
      </button>
      {rest.children ? (
        rest.other
      ) : (
        <div className="strip">
          {errorLine}
          {rest.other}
        </div>
      )}
    </form>
  )
}

/** Keeps the Enter that ends a composition from submitting the form. */
function ignoreComposedEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && isComposing(event.nativeEvent)) event.preventDefault()
}

/** The fields that each problem may concern, most likely first. */
const FIELDS: Partial<Record<Problem['code'], readonly string[]>> = {
  bad_username: ['username'],
  unknown_username: ['username'],
  username_taken: ['username'],
  invalid_password: ['password'],
  weak_password: ['new_password', 'password'],
}

function findInvalidField(form: HTMLFormElement, { code }: Problem): HTMLInputElement | null {
  const fields = Array.from(form.querySelectorAll<HTMLInputElement>('input[name]'))
  if (code === 'missing_credentials') return fields.find(({ value }) => value.trim() === '') ?? null
  const [name] = FIELDS[code]?.filter(name => fields.some(field => field.name === name)) ?? []
  return fields.find(field => field.name === name) ?? null
}

import {
  createContext,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { showMistake } from '../../feel/focus.ts'
import type { Problem } from '../../net/api.ts'
import { ButtonLabel } from './Key.tsx'

/** Returns the value of a field, or of the pressed button, by name. */
export type GetValue = (name: string) => string

/** The name of the invalid field and the ID of its message; null when no field is invalid. */
export const FieldErrorContext = createContext<{ readonly field: string; readonly messageId: string } | null>(
  null,
)

interface Props {
  /** Resolves to null on success, else to the problem. */
  submit: (getValue: GetValue) => Promise<Problem | null>
  problem: Problem | null
  /** Receives the outcome of each submission, and null at each edit. */
  onProblem: (problem: Problem | null) => void
  buttonLabel: string
  /** Whether the button only has an outline, so that it does not invite a press. */
  quiet?: boolean
  takesFocus?: boolean
  /** What the player waits for, or null. */
  note?: string | null
  labelledBy?: string
  children: ReactNode
  /** The way to another form, above the submit button, which pressing Enter presses. */
  otherWay?: ReactNode
  /** The way out, below the problem. */
  wayOut?: ReactNode
}

/**
 * Shows fields, a button and, below it, a problem. A problem moves the focus to the invalid field or the button,
 * and is scrolled into view.
 */
export function Form({ submit, problem, onProblem, takesFocus = false, ...rest }: Props) {
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const messageId = useId()
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }, [takesFocus])
  const invalidField = useInvalidField(form, problem)

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const values = new FormData(event.currentTarget, event.nativeEvent.submitter)
    setBusy(true)
    onProblem(await submit(name => String(values.get(name))))
    setBusy(false)
  }
  return (
    // If a script submits the form past the page, `post` keeps the password out of the address.
    <form
      ref={form}
      method="post"
      className="form-body"
      noValidate
      aria-labelledby={rest.labelledBy}
      onInput={() => onProblem(null)}
      onSubmit={onSubmit}
    >
      <div className="fields">
        <FieldErrorContext value={invalidField === null ? null : { field: invalidField, messageId }}>
          {rest.children}
        </FieldErrorContext>
      </div>
      <button type="submit" className={rest.quiet ? 'primary quiet' : 'primary'} disabled={busy}>
        <ButtonLabel text={rest.buttonLabel} keyName="Enter" />
      </button>
      {rest.otherWay}
      <div className="below">
        <ErrorLine problem={problem} id={messageId} />
        {/* Always mounted, so that screen readers announce the text. */}
        <p className="form-note" role="status">
          {rest.note && <span>{rest.note}</span>}
        </p>
        {rest.wayOut}
      </div>
    </form>
  )
}

/** Shows the player where a problem is. Returns the name of the invalid field, or null. */
function useInvalidField(form: RefObject<HTMLFormElement | null>, problem: Problem | null): string | null {
  const [invalidField, setInvalidField] = useState<string | null>(null)
  useEffect(() => {
    const field = problem && form.current && findInvalidField(form.current, problem)
    setInvalidField(field?.name ?? null)
    if (problem === null) return
    const button = form.current?.querySelector<HTMLElement>('.primary')
    ;(field ?? button)?.focus()
    const message = form.current?.querySelector('.error')
    if (message) showMistake(field ?? message, message)
  }, [form, problem])
  return invalidField
}

/**
 * Shows a problem. Always mounted, so that screen readers announce the problem. Each problem has an element of
 * its own, so that the same problem is announced again.
 */
export function ErrorLine({ problem, id }: { problem: Problem | null; id?: string }) {
  const [said, setSaid] = useState({ problem, times: 0 })
  if (said.problem !== problem) setSaid({ problem, times: said.times + 1 })
  return (
    <p className="error" role="alert" id={id}>
      {problem !== null && <span key={said.times}>{problem.title}</span>}
    </p>
  )
}

const USERNAME = '[name="username"]'

/** Finds the field that each problem concerns. */
const FIELDS: Partial<Record<Problem['code'], string>> = {
  bad_username: USERNAME,
  unknown_username: USERNAME,
  username_taken: USERNAME,
  invalid_password: '[name="password"]',
  weak_password: '[autocomplete="new-password"]',
}

function findInvalidField(form: HTMLFormElement, { code }: Problem): HTMLInputElement | null {
  if (code === 'missing_credentials') return findBlankField(form)
  const selector = FIELDS[code]
  return selector === undefined ? null : form.querySelector(selector)
}

export function findBlankField(form: Element): HTMLInputElement | null {
  return Array.from(form.querySelectorAll('input')).find(({ value }) => value.trim() === '') ?? null
}

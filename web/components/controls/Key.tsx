import { charsOf } from './chars.ts'

type KeyName = 'Space' | 'Enter' | 'Esc'

/** Shows the label of a primary button and its key. The size of the label depends on its length. */
export function ButtonLabel({ text, keyName }: { text: string; keyName: KeyName | null }) {
  return (
    <span className="button-label" style={charsOf(text)}>
      <span>{text}</span>
      {keyName !== null && <Key name={keyName} />}
    </span>
  )
}

/** Shows which key presses a button. */
export function Key({ name }: { name: KeyName }) {
  return (
    <span className="key" aria-hidden="true">
      {name}
    </span>
  )
}

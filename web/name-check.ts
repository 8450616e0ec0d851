import type { NameCheck } from '../contract/name.ts'
import { PAGE_PROBLEMS } from '../contract/problems.ts'
import { createStore, type Store } from './store.ts'

/** The page's own check of a name, for a quick word; the server judges every name at Start. */
export type CheckName = (raw: string) => NameCheck

/** The whole rule, once it is there: 2 kB that the first load need not wait for. Until then only a blank name is refused. */
export function loadNameCheck(): Store<CheckName> {
  const check = createStore<CheckName>(checkBlank)
  void import('../contract/name.ts').then(
    ({ checkName }) => check.set(checkName),
    () => undefined,
  )
  return check
}

function checkBlank(raw: string): NameCheck {
  const name = raw.trim()
  if (name === '') return { ok: false, blank: true, problem: PAGE_PROBLEMS.blank_username.title }
  return { ok: true, name }
}

import { nameKey } from '../../contract/name-key.ts'
import { NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/project.ts'
import { Problem } from '../problem.ts'

const COMMON = new Set(readList('common-passwords'))

/** The game's name, possibly repeated, with digits and signs around it. */
const OWN_WORD = /^[^\p{L}]*(?:taps[^\p{L}]*)+$/u

/** @throws {Problem} weak_password; the title says what is wrong */
export function checkPassword(password: string, username: string): void {
  const length = Array.from(password).length
  if (length < PASSWORD_MIN_LENGTH) refuse(`A password needs at least ${PASSWORD_MIN_LENGTH} characters`)
  if (length > PASSWORD_MAX_LENGTH) refuse(`A password has at most ${PASSWORD_MAX_LENGTH} characters`)
  const plain = password.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
  // A text above a name's length limit is slow to compare.
  const mayBeName = plain.length <= NAME_MAX_LENGTH
  if (mayBeName && nameKey(password) === nameKey(username))
    refuse('The password must differ from the username')
  if (COMMON.has(plain)) refuse('This password is one of the most common ones; please choose another')
  if (OWN_WORD.test(plain)) refuse('The password must not be the name of the game')
}

function refuse(title: string): never {
  throw new Problem('weak_password', { title })
}

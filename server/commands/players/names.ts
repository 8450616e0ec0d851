import { hiddenNames, hideName, unhideName } from '../../identity/hidden-names.ts'
import { StartError } from '../../lib/start-error.ts'
import { type Game, quote, type Report } from './game.ts'

export async function hide({ client }: Game, name: string): Promise<Report> {
  await hideName(client, name)
  return { lines: [`${quote(name)} is hidden, however it is written, of accounts and of guests.`] }
}

export async function unhide({ client }: Game, name: string): Promise<Report> {
  if (!(await unhideName(client, name))) throw new StartError(`${quote(name)} is not hidden`)
  return { lines: [`${quote(name)} is shown again.`] }
}

export async function listHidden({ client }: Game): Promise<Report> {
  const names = await hiddenNames(client)
  const lines = names.map(
    ({ username, hiddenAt }) => `${quote(username)}, hidden since ${hiddenAt.toISOString()}`,
  )
  return { lines: lines.length > 0 ? lines : ['No name is hidden.'], data: names }
}

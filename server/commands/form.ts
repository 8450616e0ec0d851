/**
 * How an act is called, as its usage shows it, part by part: words to be said as they are, `<what must be given>` and
 * `[what may be]`; options, `--name` or `--name <value>`, in brackets too unless they must be given.
 */
export type Form = readonly string[]

const OPTION = /^\[?--([a-z-]+)( <.+>)?\]?$/

/** True for the part of a form that is an option and no word. */
export function isOption(part: string): boolean {
  return OPTION.test(part)
}

/** The options of a form by name, as `parseArgs` wants them described. */
export function optionsOf(form: Form): [string, { type: 'string' | 'boolean' }][] {
  return form
    .filter(isOption)
    .map(part => [nameOf(part), { type: part.includes('<') ? 'string' : 'boolean' }])
}

/** True when these words and options are a call of this form. */
export function fits(form: Form, words: readonly string[], options: ReadonlyMap<string, string>): boolean {
  return wordsFit(wordsOf(form), words) && optionsFit(form.filter(isOption), options)
}

/** The words that stand in the places of `<…>` and `[…]`. */
export function givenIn(form: Form, words: readonly string[]): string[] {
  const places = wordsOf(form)
  return words.filter((_, place) => isGiven(places[place]))
}

function wordsOf(form: Form): Form {
  return form.filter(part => !isOption(part))
}

function wordsFit(places: Form, words: readonly string[]): boolean {
  const needed = places.filter(part => !part.startsWith('['))
  if (words.length < needed.length || words.length > places.length) return false
  return words.every((word, place) => isGiven(places[place]) || places[place] === word)
}

function optionsFit(parts: Form, options: ReadonlyMap<string, string>): boolean {
  const known = parts.map(nameOf)
  const needed = parts.filter(part => !part.startsWith('[')).map(nameOf)
  return needed.every(name => options.has(name)) && [...options.keys()].every(name => known.includes(name))
}

function nameOf(option: string): string {
  return OPTION.exec(option)?.[1] ?? ''
}

function isGiven(part = ''): boolean {
  return part.startsWith('<') || part.startsWith('[')
}

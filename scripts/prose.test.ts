import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Words that CONTRIBUTING.md replaces with simpler words. */
const WORDS =
  /\b(at once|anew|beside|under way|mend(?:s|ed|ing)?|is over|(?:is|are) told|for good|looks? at|goes? by|meanwhile|of which|of whose|fault of ours|rehears\w+|law of the ledger|nobody|somebody|everybody|whoever)\b/i
const OPENER = /^(?:Of|As|Also|What|Without)\b/
const MAX_WORDS = 20

const FOLDERS = ['server', 'web', 'contract', 'sql/functions', 'tests', 'bench']
const FILES = execFileSync('git', ['ls-files', ...FOLDERS], { encoding: 'utf8' })
  .split('\n')
  .filter(name => /\.(?:tsx?|css|sql)$/.test(name))

test('every comment follows the rules on openers, words and length', () => {
  const found = FILES.flatMap(file =>
    commentsOf(readFileSync(file, 'utf8'), file.endsWith('.sql')).flatMap(({ line, text }) =>
      problemsOf(text).map(problem => `${file}:${line} ${problem}`),
    ),
  )
  expect(found).toEqual([])
})

test('reports a wrong opener, a listed word and a long sentence', () => {
  const text = `/** As it was. */\nlet a = '// no comment'\n// Is done\n// at once.\n/**\n * Waits ${'and waits '.repeat(10)}.\n */\n`
  const found = commentsOf(text, false).map(({ line, text }) => [line, ...problemsOf(text)])
  expect(found).toEqual([
    [1, 'begins with "As"'],
    [3, 'says "at once"'],
    [5, 'has a sentence of 21 words'],
  ])
})

/** Returns each comment block with its first line number. Consecutive line comments form one block. */
function commentsOf(source: string, isSql: boolean) {
  const block = isSql ? /(?:^[ \t]*--.*\n)+/gm : /(?:^[ \t]*\/\/.*\n)+|^[ \t]*\/\*[\s\S]*?\*\//gm
  return Array.from(source.matchAll(block), ({ 0: text, index }) => ({
    line: source.slice(0, index).split('\n').length,
    text: text
      .replace(/^[ \t]*(?:\/\*+|\*\/|\*|\/\/|--)|\*\/[ \t]*$/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

function problemsOf(text: string): string[] {
  const [opener] = OPENER.exec(text) ?? []
  const [word] = WORDS.exec(text) ?? []
  const sentences = text
    .replace(/@\w+/g, '.')
    .replace(/`[^`]*`/g, 'x')
    .split(/[.!?:;](?= |$)/)
  const lengths = sentences.map(sentence => sentence.split(' ').filter(Boolean).length)
  return [
    ...(opener ? [`begins with "${opener}"`] : []),
    ...(word ? [`says "${word}"`] : []),
    ...lengths.filter(length => length > MAX_WORDS).map(length => `has a sentence of ${length} words`),
  ]
}

import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Section, toTable } from './section.ts'

const FILE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))

/** What a section looks like, on the screen and in the file. */
export function toMarkdown(part: string, { title, figures, notes }: Section, machine: string): string {
  const command = `\`\`\`\nnpm run bench -- ${part}\n\`\`\``
  const legend = 'Median of the runs, and (least – most). The ratios are those of runs beside each other.'
  return [`## ${title}`, command, toTable(figures), legend, machine, ...notes].join('\n\n')
}

/** Puts a part's section in the place of its last one, or at the end of the file. */
export async function writeResults(part: string, markdown: string): Promise<void> {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`]
  const text = await readFile(FILE, 'utf8')
  const section = `${begin}\n${markdown}\n${end}`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  const renewed =
    from < 0 || to < from
      ? `${text.trimEnd()}\n\n${section}\n`
      : text.slice(0, from) + section + text.slice(to + end.length)
  await writeFile(`${FILE}.new`, renewed)
  await rename(`${FILE}.new`, FILE)
}

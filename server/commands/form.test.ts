import { describe, expect, test } from 'vitest'
import { type Act, perform, UsageError } from './command.ts'

/** An act that says how it was called. */
const echo = (form: Act['form']): Act => ({
  form,
  help: 'Says what it was given.',
  async run({ options }, ...given) {
    const data = { form: form.join(' '), given, options: Object.fromEntries(options) }
    return { sound: true, lines: ['for people'], data }
  },
})

const command = {
  name: 'echo',
  acts: [
    echo(['[folder]', '[--keep <number>]', '[--json]']),
    echo(['--verify <folder>', '[--json]']),
    echo(['rename', '<name>', '<new name>', '[--json]']),
  ],
}

async function call(...args: string[]) {
  const { lines } = await perform(command, [...args, '--json'], {})
  const { json, ...options } = JSON.parse(lines.join()).options
  expect(json).toBe('')
  return { ...JSON.parse(lines.join()), options }
}

describe('a call', () => {
  test.each([
    ['nothing', [], '[folder]', [], {}],
    ['a word', ['here'], '[folder]', ['here'], {}],
    ['a word and an option', ['here', '--keep', '14'], '[folder]', ['here'], { keep: '14' }],
    ['an option before a word', ['--keep=14', 'here'], '[folder]', ['here'], { keep: '14' }],
    ['an option that must be given', ['--verify', 'here'], '--verify', [], { verify: 'here' }],
    ['words', ['rename', 'one', 'two'], 'rename', ['one', 'two'], {}],
  ])('of %s is of the act whose form it has', async (_, args, form, given, options) => {
    const called = await call(...args)
    expect(called.form.split(' ')[0]).toBe(form)
    expect(called).toMatchObject({ given, options })
  })

  test('may hold words that look like options after two dashes', async () => {
    const { lines } = await perform(command, ['--json', 'rename', '--', '-h', '--json'], {})
    expect(JSON.parse(lines.join()).given).toEqual(['-h', '--json'])
  })

  test.each([
    ["Unknown option '--fast'", ['--fast']],
    ["Unknown option '-f'", ['-f']],
    ["Option '--keep <value>' argument missing", ['--keep']],
    ["Option '--keep' argument is ambiguous", ['--keep', '-1']],
    ["Option '--json' does not take an argument", ['--json=yes']],
    ['npm run echo is not called like this', ['one', 'two']],
    ['npm run echo is not called like this', ['rename', 'one']],
    ['npm run echo is not called like this', ['--verify', 'one', 'two']],
    ['npm run echo is not called like this', ['--verify', 'one', '--keep', '2']],
  ])('is refused with "%s" for %j, whatever the settings are', async (reason, args) => {
    await expect(perform(command, args, { PORT: 'x' })).rejects.toThrow(new UsageError(reason))
  })

  test('asks for help with --help or -h, whatever else there is', async () => {
    const { lines } = await perform(command, ['--', 'rename', '--fast', '-h'], { PORT: 'x' })
    expect(lines).toEqual([
      'Usage: npm run echo -- [folder] [--keep <number>] [--json]',
      '           Says what it was given.',
      '       npm run echo -- --verify <folder> [--json]',
      '           Says what it was given.',
      '       npm run echo -- rename <name> <new name> [--json]',
      '           Says what it was given.',
    ])
  })

  test('without --json is answered for people', async () => {
    expect((await perform(command, [], {})).lines).toEqual(['for people'])
  })
})

import { expect, test } from 'vitest'
import { loadNameCheck } from './name-check.ts'

test('until the rule of names is there only a blank name is refused, then the whole rule decides', async () => {
  const check = loadNameCheck()
  const loaded = new Promise<void>(resolve => check.subscribe(resolve))
  expect(check.get()('  ')).toMatchObject({ ok: false, blank: true })
  expect(check.get()(' in\u200bvisible ')).toEqual({ ok: true, name: 'in\u200bvisible' })

  await loaded
  expect(check.get()('  ')).toMatchObject({ ok: false, blank: true })
  expect(check.get()(' in\u200bvisible ')).toMatchObject({ ok: false, blank: false })
})

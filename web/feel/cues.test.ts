import { expect, test } from 'vitest'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { openSwitches } from './cues.ts'

test('switches are stored; by default, sound is off and vibration is on', () => {
  const storage = memoryStorage()
  const read = () => Object.values(openSwitches(storage)).map(({ on }) => on.get())
  expect(read()).toEqual([false, true])
  for (const { toggle } of Object.values(openSwitches(storage))) toggle()
  expect(read()).toEqual([true, false])
})

import { expect, test, vi } from 'vitest'
import { joinTabs } from './tabs.ts'

test('where the browser forbids tabs to speak with each other, each goes on alone', () => {
  vi.stubGlobal('BroadcastChannel', () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  expect(() => joinTabs().announce()).not.toThrow()
})

import { expect, test, vi } from 'vitest'
import { joinTabs } from './tabs.ts'

test('announces nothing, without an error, where the browser forbids channels between tabs', () => {
  vi.stubGlobal('BroadcastChannel', () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  expect(() => joinTabs().announce()).not.toThrow()
})

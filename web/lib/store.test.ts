import { expect, test, vi } from 'vitest'
import { createStore } from './store.ts'

test('notifies a listener of each new value and the previous one, until the listener is removed', () => {
  const store = createStore(1)
  const listener = vi.fn()
  const remove = store.subscribe(listener)
  store.set(2)
  store.set(2)
  expect(listener).toHaveBeenCalledExactlyOnceWith(2, 1)
  remove()
  store.set(3)
  expect(listener).toHaveBeenCalledOnce()
})

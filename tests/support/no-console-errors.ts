import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

/** A test that expects one says so with its own spy. */
let errors: MockInstance<typeof console.error>

beforeEach(() => {
  errors = vi.spyOn(console, 'error')
})

afterEach(() => {
  expect(errors.mock.calls, 'unexpected console.error').toEqual([])
})

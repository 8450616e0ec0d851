import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

/** The spy on `console.error`. A test that expects an error replaces this spy. */
let errors: MockInstance<typeof console.error>

beforeEach(() => {
  errors = vi.spyOn(console, 'error')
})

afterEach(() => {
  expect(errors.mock.calls, 'unexpected console.error').toEqual([])
})

import { afterEach, expect, test, vi } from 'vitest'
import { PAUSE_MS, PauseCheck } from './pause.ts'

afterEach(() => vi.restoreAllMocks())

/** So much has passed, in all, that the process did not live through. */
function pause(ms: number): void {
  vi.restoreAllMocks()
  const { now } = performance
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ms)
}

function build() {
  const commits: { confirm: () => void; fail: (error: Error) => void }[] = []
  const check = new PauseCheck(() => new Promise<void>((confirm, fail) => commits.push({ confirm, fail })))
  return { check, commits }
}

test('a process that has run all the time doubts nothing and commits nothing', async () => {
  const { check, commits } = build()
  pause(PAUSE_MS - 1_000)
  expect(check.keepLooking()).toBe(false)
  await check.settle()
  expect(commits).toHaveLength(0)
  check.close()
})

test('one that has stood still doubts its database until a commit is confirmed, and tries again when it is not', async () => {
  const { check, commits } = build()
  pause(PAUSE_MS + 1_000)
  expect([check.keepLooking(), check.keepLooking()]).toEqual([true, true])
  await vi.waitUntil(() => commits.length === 1)
  commits[0]?.fail(new Error('left behind'))
  await vi.waitUntil(() => check.keepLooking() && commits.length === 2)
  commits[1]?.confirm()
  await vi.waitUntil(() => !check.keepLooking())
  expect(commits).toHaveLength(2)
  check.close()
})

test('a commit that was under way when it stood still again proves nothing', async () => {
  const { check, commits } = build()
  pause(PAUSE_MS + 1_000)
  check.keepLooking()
  await vi.waitUntil(() => commits.length === 1)
  pause(3 * PAUSE_MS)
  check.keepLooking()
  commits[0]?.confirm()
  await vi.waitUntil(() => commits.length === 2)
  expect(check.keepLooking()).toBe(true)
  commits[1]?.confirm()
  await vi.waitUntil(() => !check.keepLooking())
  check.close()
})

import { afterEach, expect, test, vi } from 'vitest'
import { HANDOVER_MS, PAUSE_MS, PauseCheck } from './pause.ts'

afterEach(() => vi.restoreAllMocks())

/** A check with a clock of its own, and the commits that it asks for. */
function build() {
  let now = 0
  vi.spyOn(process, 'uptime').mockImplementation(() => now / 1_000)
  const commits: { confirm: () => void; fail: (error: Error) => void }[] = []
  const check = new PauseCheck(() => new Promise<void>((confirm, fail) => commits.push({ confirm, fail })))
  const standStill = (ms: number) => {
    now += ms
  }
  const live = (ms: number) => {
    for (const end = now + ms; now < end; now += 1_000) check.keepLooking()
  }
  return { check, commits, standStill, live }
}

test('a process that has run all the time doubts nothing and commits nothing', async () => {
  const { check, commits, standStill, live } = build()
  live(20_000)
  standStill(PAUSE_MS - 1_000)
  expect(check.keepLooking()).toBe(false)
  await check.settle()
  expect(commits).toHaveLength(0)
  check.close()
})

test('one that has stood still doubts its database until a commit is confirmed, and tries again when it is not', async () => {
  const { check, commits, standStill, live } = build()
  standStill(PAUSE_MS + 1)
  expect(check.keepLooking()).toBe(true)
  live(HANDOVER_MS)
  expect([check.keepLooking(), check.keepLooking()]).toEqual([true, true])
  await vi.waitUntil(() => commits.length === 1)
  commits[0]?.fail(new Error('left behind'))
  await vi.waitUntil(() => check.keepLooking() && commits.length === 2)
  commits[1]?.confirm()
  await vi.waitUntil(() => !check.keepLooking())
  expect(commits).toHaveLength(2)
  check.close()
})

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { LogOutput } from './log-output.ts'

const LINE = `${'x'.repeat(999)}\n`
const MAX_WAITING_BYTES = 1_048_576

/** Opens a connection whose far end does not read. */
async function openUnread(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [far] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    near.destroy()
    far.destroy()
  })
  return { near, far }
}

test('keeps at most 1 MB for a reader that has stopped, and says later how many lines were dropped', async () => {
  const { near, far } = await openUnread()
  const output = new LogOutput(dropped => `dropped ${dropped}\n`, near)
  const lines = 20_000
  for (let line = 0; line < lines; line += 1) output.write(LINE)
  expect(near.writableLength).toBeLessThanOrEqual(MAX_WAITING_BYTES + LINE.length)
  let read = ''
  far.setEncoding('utf8').on('data', text => {
    read += text
  })
  far.resume()
  await until('an empty pipe', () => near.writableLength === 0)
  output.write('the next line\n')
  await until('the next line', () => read.endsWith('the next line\n'))
  const [, taken = '', dropped = ''] = /^((?:x+\n)*)dropped (\d+)\nthe next line\n$/.exec(read) ?? []
  expect(taken.length / LINE.length + Number(dropped)).toBe(lines)
  expect(Number(dropped)).toBeGreaterThan(0)
})

test('counts the lines that a closed pipe refuses', async () => {
  const { near, far } = await openUnread()
  const noteOf = vi.fn((dropped: number) => `dropped ${dropped}\n`)
  const output = new LogOutput(
    noteOf,
    near.on('error', () => undefined),
  )
  far.destroy()
  await once(near, 'close')
  for (let line = 0; line < 3; line += 1) output.write(LINE)
  // The errors arrive in a later turn.
  await turn()
  output.write(LINE)
  expect(noteOf).toHaveBeenLastCalledWith(3)
})

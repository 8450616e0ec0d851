import { afterEach, expect, test, vi } from 'vitest'
import { createApp } from '../app.ts'
import { readEnv } from '../env.ts'
import { TIMEOUTS } from './connections.ts'

const { handlerTimeout } = TIMEOUTS

afterEach(() => vi.useRealTimers())

test('whoever is not answered in time is told to come back, once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const app = createApp(readEnv({ LOG_LEVEL: 'silent' }))
  app.get('/late', () => new Promise(resolve => setTimeout(resolve, 2 * handlerTimeout, 'too late')))
  await app.ready()
  const answering = app.inject('/late')
  await vi.advanceTimersByTimeAsync(handlerTimeout)
  await vi.advanceTimersByTimeAsync(2 * handlerTimeout)
  const { statusCode, headers, body } = await answering
  expect(statusCode).toBe(503)
  expect(headers['retry-after']).toBe('1')
  expect(JSON.parse(body)).toMatchObject({ status: 503, code: 'unavailable' })
  await app.close()
})

import { expect, test } from 'vitest'
import { CONNECTIONS, HASH_QUEUE, LIMITS, STREAMS_OF_ADDRESS } from './limits.ts'

// A copy, so that no limit changes unnoticed: docs/security.md explains these numbers.
test('has the limits', () => {
  expect(LIMITS).toEqual({
    requests: { burst: 8_000, perMinute: 36_000 },
    reads: { burst: 8_000, perMinute: 36_000 },
    guests: { burst: 500, perMinute: 100 },
    calls: { burst: 150, perMinute: 300 },
    logins: { burst: 120, perMinute: 60 },
    ownPasswords: { burst: 10, perMinute: 6 },
    ownPasswordsOfAddress: { burst: 120, perMinute: 60 },
    signUps: { burst: 400, perMinute: 40 },
    wrongPasswords: { burst: 10, perMinute: 6 },
    wrongPasswordsOfName: { burst: 30, perMinute: 10 },
    lastTries: { burst: 2, perMinute: 0.1 },
  })
  expect(HASH_QUEUE).toEqual({ ofAll: 120, ofAddress: 40 })
  expect(CONNECTIONS).toEqual({ ofAddress: 3_200, ofAll: 30_000 })
  expect(STREAMS_OF_ADDRESS).toBe(1_600)
})

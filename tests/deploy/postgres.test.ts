import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '../../server/database/pool.ts'
import { Auditor } from '../support/audit.ts'
import { Crowd } from '../support/crowd.ts'
import { endNodes, ServerNode } from '../support/node.ts'
import { openOwnServer } from '../support/postgres.ts'
import { Random } from '../support/random.ts'
import { SHARED_SECRET } from '../support/shared-postgres.ts'
import { report, SEED } from '../support/size.ts'
import { debianPostgres, type OtherPostgres, urlOf } from './postgres.ts'

const PLAYERS = 30
const ATTEMPTS = 5_000

describe.each(await debianPostgres())('$name', ({ name, binaries }: OtherPostgres) => {
  let connection: Connection
  let close = async () => {}

  beforeAll(async () => {
    const server = await openOwnServer(binaries)
    connection = server.connection
    close = server.close
  })

  afterAll(async () => {
    await endNodes()
    await close()
  })

  test('thirty players are all served at once, and the ledger holds', async () => {
    const node = await ServerNode.start({ DATABASE_URL: urlOf(connection), SECRET: SHARED_SECRET })
    const crowd = new Crowd({ players: PLAYERS, random: new Random(SEED), url: () => node.url })
    const began = performance.now()
    await crowd.more(ATTEMPTS)
    const seconds = (performance.now() - began) / 1_000
    await crowd.leave()
    const auditor = new Auditor(connection)
    const found = {
      wrongs: crowd.wrongs,
      refused: [...crowd.statuses.keys()].filter(status => status === 'lost' || status >= 300),
      lost: await auditor.lost(crowd.acknowledged),
      unbalanced: await auditor.unbalanced(),
      contradictions: await auditor.contradictions(),
    }
    await auditor.close()
    await node.end('SIGTERM')
    report(name, {
      attempts: crowd.acknowledged.length,
      seconds: seconds.toFixed(1),
      refused: found.refused.length,
    })
    expect(found).toEqual({ wrongs: [], refused: [], lost: [], unbalanced: null, contradictions: [] })
  })
})

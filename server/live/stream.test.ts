import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LIVE_PARTS, LIVE_PING_MS } from '../../contract/live.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** Opens a viewer that reads continuously. */
async function viewer(node: TestGame = world.game): Promise<Viewer> {
  const opened = await Viewer.open(node.url)
  onTestFinished(() => opened.close())
  return opened
}

/** Plays a miss. Returns the attempt's ID. */
async function play(node: TestGame = world.game): Promise<number> {
  const guest = world.newcomer(node)
  return (await guest.play(500)).body.attempt.id
}

function until(condition: () => unknown): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: 60_000, interval: 5 })
}

/** Waits until this attempt is the first in the viewer's list. */
function sees(watcher: Viewer, attempt: number): Promise<unknown> {
  return until(() => watcher.latest('attempts')?.attempts[0]?.id === attempt)
}

describe('a viewer whose network has stalled', () => {
  /** Adds a stream to the node for a client that does not read. */
  async function stalled(node: TestGame) {
    const responses: ServerResponse[] = []
    const server = createServer((_, response) => {
      responses.push(response)
      node.app.broadcast.add(response, {})
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = connect(port, '127.0.0.1').pause()
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => responses.length > 0)
    const [response] = responses
    if (!response) throw new Error('No stream was opened')
    onTestFinished(() => {
      client.destroy()
      server.closeAllConnections()
      server.close()
    })
    return {
      client,
      response,
      /** Writes until at least this many bytes are unsent. */
      async fill(bytes: number) {
        const piece = `:${'x'.repeat(8_000)}\n\n`
        while (response.writableLength < bytes) {
          response.write(piece)
          await turn()
        }
      },
    }
  }

  test('skips events while stalled, and gets the current state afterwards', async () => {
    const watcher = await viewer()
    const { client, response, fill } = await stalled(world.game)
    await fill(64 * 1_024 + 1)
    const waiting = response.writableLength
    await sees(watcher, await play())
    await sees(watcher, await play())
    expect(response.writableLength).toBe(waiting)

    let text = ''
    client.on('data', chunk => {
      text += chunk.toString()
    })
    client.resume()
    await until(() => response.writableLength === 0)
    text = ''
    const attempt = await play()
    await until(() => text.includes(`"id":${attempt}`))
    for (const part of LIVE_PARTS) expect(text).toContain(`event: ${part}\n`)
  })

  test('loses its stream when it is still stalled at the next ping', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const node = await world.addNode()
    const { response, fill } = await stalled(node)
    await fill(64 * 1_024 + 1)
    vi.advanceTimersByTime(2 * LIVE_PING_MS)
    expect(response.destroyed).toBe(true)
    await node.close()
  })

  test('does not keep its stream open when the database is unavailable', async () => {
    const node = await world.addNode()
    const { response, fill } = await stalled(node)
    await fill(16_000)
    const failed = vi.fn()
    response.on('error', failed)
    node.app.poller.emit('unavailable')
    await until(() => response.destroyed)
    const watcher = await viewer(node)
    await sees(watcher, await play(node))
    expect(failed).not.toHaveBeenCalled()
    await node.close()
  })
})

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../../tests/support/child-environment.ts'
import { until } from '../../tests/support/until.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** Returns the programs in docs/api.md: the bot, then the one that posts wins to a chat. */
async function programs(): Promise<string[]> {
  const page = await readFile('docs/api.md', 'utf8')
  return Array.from(page.matchAll(/```js\n(.*?)```/gs), ([, program = '']) => program)
}

const argv = (program = '') => ['--input-type=module', '--eval', program]

test('the bot in docs/api.md hits the target and wins the pool', async () => {
  const [bot] = await programs()
  const env = childEnvironment({ TAPS_URL: world.game.url })
  const { stdout } = await promisify(execFile)(process.execPath, argv(bot), { env })
  expect(stdout).toMatch(/^0 s off, won [1-9]\d* TAPS\n$/)
})

/** Opens a webhook that collects what is posted to it. */
async function openWebhook() {
  const posts: unknown[] = []
  const server = createServer(async (request, response) => {
    posts.push(await json(request))
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function endAfterTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

test.each([
  ['slack', { text: 'Tom &amp; C++ (fan)_1 won 1 TAPS', mrkdwn: false }],
  ['discord', { content: 'Tom & C\\+\\+ \\(fan\\)\\_1 won 1 TAPS', allowed_mentions: { parse: [] } }],
])(
  'the chat program in docs/api.md posts each win to %s at once, and no earlier win',
  async (service, post) => {
    const node = await world.addNode()
    const player = world.newcomer(node)
    await player.play(0, 'Earlier')
    const viewer = await Viewer.open(node.url)
    await until('the earlier win', () => viewer.latest('prize_pool')?.last_win?.username === 'Earlier')
    await viewer.close()
    await until('the viewer to be gone', () => node.app.broadcast.viewers === 0)
    const webhook = await openWebhook()
    const [, chat] = await programs()
    const env = childEnvironment({ TAPS_URL: node.url, WEBHOOK: `${webhook.url}/${service}` })
    endAfterTest(spawn(process.execPath, argv(chat), { env, stdio: 'inherit' }))
    await until('the program to connect', () => node.app.broadcast.viewers === 1)
    await player.play(0, 'Tom & C++ (fan)_1')
    await until('a post', () => webhook.posts.length > 0)
    expect(webhook.posts).toEqual([post])
  },
)

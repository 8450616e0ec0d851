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

/** Opens a webhook that collects what is posted to it, after it has refused the first posts with these answers. */
async function openWebhook(refusals: readonly number[]) {
  const posts: unknown[] = []
  const left = [...refusals]
  const server = createServer(async (request, response) => {
    const post = await json(request)
    const refusal = left.shift()
    if (refusal === undefined) posts.push(post)
    response.writeHead(refusal ?? 204, refusal ? { 'retry-after': '0.1' } : {}).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function endAfterTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

const SERVICES: readonly { service: string; format: (name: string) => object }[] = [
  {
    service: 'slack',
    format: (name: string) => ({ text: `Tom &amp; C++ (fan)_${name} won 1 TAPS`, mrkdwn: false }),
  },
  {
    service: 'discord',
    format: (name: string) => ({
      content: `Tom & C\\+\\+ \\(fan\\)\\_${name} won 1 TAPS`,
      allowed_mentions: { parse: [] },
    }),
  },
]

test.each(SERVICES)(
  'the chat program in docs/api.md posts all of several quick wins to $service, once each, also after refusals, and no earlier win',
  async ({ service, format }) => {
    const node = await world.addNode()
    const player = world.newcomer(node)
    await player.play(0, 'Earlier')
    const viewer = await Viewer.open(node.url)
    await until('the earlier win', () => viewer.latest('attempts')?.attempts[0]?.username === 'Earlier')
    await viewer.close()
    await until('the viewer to be gone', () => node.app.broadcast.viewers === 0)
    const webhook = await openWebhook([500, 429])
    const [, chat] = await programs()
    const env = childEnvironment({ TAPS_URL: node.url, WEBHOOK: `${webhook.url}/${service}` })
    endAfterTest(spawn(process.execPath, argv(chat), { env, stdio: ['ignore', 'inherit', 'ignore'] }))
    await until('the program to connect', () => node.app.broadcast.viewers === 1)
    const names = ['1', '2', '3', '4', '5']
    for (const name of names) await player.play(0, `Tom & C++ (fan)_${name}`)
    await until('all posts', () => webhook.posts.length >= names.length)
    expect(webhook.posts).toEqual(names.map(format))
  },
)

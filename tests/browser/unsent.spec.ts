import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

const UNREACHABLE =
  /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/
/** A closing server still answers on open connections, but refuses new streams. */
const CLOSING = /status of 503 \(Service Unavailable\) \/api\/live$/

async function expectResult(player: Player, difference: string): Promise<void> {
  await expect(player.region('Result').getByText(difference, { exact: true })).toBeVisible()
}

test('a round shows its result, is sent until the network is back and the game itself answers, and can win', async ({
  player,
  complaints,
}) => {
  complaints.expect(/net::ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const { page, startButton } = player
  const status = player.region('Recent attempts')
  const kept = page.getByText('Your attempt is saved here until the server answers.')
  // An open stream continues offline, so boards that arrive late would set the status to live again.
  await expect(status.getByRole('list')).toHaveAttribute('data-loading', 'false')
  await page.route('/api/rounds', route => route.fulfill({ status: 404, body: '404 page not found' }))
  await player.start()
  await player.stop(15)
  await expectResult(player, '0.015s')
  await expect(kept).toBeVisible()
  await expect(startButton).toBeDisabled()
  await page.context().setOffline(true)
  await expect(status.getByText('offline', { exact: true })).toBeVisible()

  await page.unroute('/api/rounds')
  const portal = { contentType: 'text/html', body: '<h1>Welcome to the Wi-Fi</h1>' }
  await page.route('/api/attempts', route => route.fulfill(portal), { times: 1 })
  await page.context().setOffline(false)
  await expect(player.wonHeading).toBeVisible()
  await player.keepPlaying()
  await expect(kept).toBeHidden()
  await expect(status.getByText('live', { exact: true })).toBeVisible()
  await expect(player.attempts).toHaveText([/\+0\.015 s/])
})

const WINDOWS = ['320x568', '390x844', '844x390', '1280x800']

test('the feedback is as large while the attempt is saved here as once it is recorded', async ({
  player,
  complaints,
}) => {
  complaints.expect(/Failed to load resource/)
  const { page } = player
  const measure = async () => {
    const sizes: string[] = []
    for (const size of WINDOWS) {
      const [width = 0, height = 0] = size.split('x').map(Number)
      await page.setViewportSize({ width, height })
      const font = "getComputedStyle(document.querySelector('.feedback')).fontSize"
      sizes.push(`${size}: ${await player.settle<string>(font)}`)
    }
    return sizes
  }
  await page.route('/api/attempts', route => route.fulfill({ status: 404, body: '404 page not found' }))
  await player.start()
  await player.stop(1_500)
  await expect(page.getByText('Your attempt is saved here')).toBeVisible()
  const saved = await measure()
  await page.unroute('/api/attempts')
  await expect(player.startButton).toBeEnabled()
  expect(saved).toEqual(await measure())
})

test('an unsent attempt survives a reload and a server restart, and is recorded once', async ({
  visit,
  ownServer,
  complaints,
}) => {
  complaints.expect(UNREACHABLE)
  complaints.expect(CLOSING)
  const player = await visit({ baseURL: ownServer.url })
  const viewer = await visit({ baseURL: ownServer.url })
  await player.open()
  await viewer.open()
  const status = (text: string) => viewer.region('Recent attempts').getByText(text, { exact: true })
  await expect(status('live')).toBeVisible()
  await player.start()
  await ownServer.halt()
  await expect(status('reconnecting')).toBeVisible()
  await player.stop(-333)
  await expectResult(player, '0.333s')

  await player.page.goto('about:blank')
  await ownServer.restart()
  await player.open()
  await expectResult(player, '0.333s')
  await expect(status('live')).toBeVisible()
  await expect(viewer.attempts).toHaveCount(1)
  await expect(viewer.attempts).toContainText('−0.333 s')
  await viewer.expectPool(1)
})

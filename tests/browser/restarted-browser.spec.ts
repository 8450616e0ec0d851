import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Player } from '../support/page-player.ts'
import { newName } from './accounts.ts'
import { cookiesOfShortTarget, type Leave, LOST, loseAndLeave, PHONE, test } from './broken-line.ts'
import { expectCredited, stopInTime, submit, won } from './winner.ts'

test.use({ settings: { CLOCK_TOLERANCE_MS: '750' } })

test('a browser that is closed over a lost attempt and a lost sign-up goes on when it is started again', async ({
  playwright,
  launchOptions,
  line,
  server,
  complaints,
}) => {
  complaints.expect(LOST)
  const profile = await mkdtemp(join(tmpdir(), 'taps-profile-'))
  const options = { ...launchOptions, ...PHONE, baseURL: line.url }
  const launch = async () => {
    const context = await playwright.chromium.launchPersistentContext(profile, options)
    complaints.listen(context, line.url)
    return context
  }
  const restart: Leave = async page => {
    await page.context().close()
    const next = await (await launch()).newPage()
    await next.goto('/', { waitUntil: 'commit' })
    return next
  }
  const context = await launch()
  await context.addCookies(await cookiesOfShortTarget(server.url))
  let player = new Player(await context.newPage())
  await player.open()
  const name = newName()
  const cut = 'before the answer'

  await player.start()
  player = await loseAndLeave(player, { line, path: '/api/attempts', cut, act: stopInTime }, restart)
  const taps = await won(player)
  const signUp = () => submit(player, 'Create account', name)
  player = await loseAndLeave(player, { line, path: '/api/users', cut, act: signUp }, restart)
  // The answer that was lost held the session; what was won is on the account by then.
  await player.logIn(name)
  await player.button(`Claim ${taps} TAPS`).click()
  await expectCredited(player, name, taps)
  await player.page.context().close()
  await rm(profile, { recursive: true, force: true })
})

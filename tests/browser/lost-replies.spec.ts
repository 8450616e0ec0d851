import { Player } from '../support/page-player.ts'
import { CUTS } from '../support/relay.ts'
import { makeAccount, newName } from './accounts.ts'
import { lose, loseAndLeave, reload, reopen, test } from './broken-line.ts'
import { expect, longUnless } from './test.ts'
import { expectCredited, play, stopInTime, submit, won } from './winner.ts'

/** As players meet it: who loses a Start's answer must not lose the win. */
test.use({ settings: { CLOCK_TOLERANCE_MS: '750' } })

/** Passwords are hashed at a low priority, which takes long where other tests keep all cores busy. */
const HASHED = { timeout: 30_000 }

/** `npm test` loses calls on each way in, at each end of the page's life, and once for good; the other cuts are long. */
const ENTRANCES = [
  {
    how: 'signs up',
    path: '/api/users',
    verb: 'Create account',
    find: async () => newName(),
    short: { stays: 'before the answer', leaves: null, again: true },
  },
  {
    how: 'signs in',
    path: '/api/login',
    verb: 'Sign in',
    find: makeAccount,
    short: { stays: null, leaves: 'in the head of the answer', again: false },
  },
] as const

/** A second tab of the same browser. */
async function openTab({ page }: Player): Promise<Player> {
  const tab = new Player(await page.context().newPage())
  await tab.open()
  return tab
}

for (const [place, { how, path, verb, find, short }] of ENTRANCES.entries()) {
  const enter = (name: string) => (player: Player) => submit(player, verb, name)

  for (const [turn, cut] of CUTS.entries()) {
    const title = `a guest wins, ${how} and claims, each call cut off ${cut}`

    const stays = `${title}: the page gets there by itself, and so does another tab`
    test(stays, longUnless(cut === short.stays), async ({ winner, line, server }) => {
      const name = await find(server)
      const other = await openTab(winner)
      await lose(winner, { line, path: '/api/rounds', cut, act: player => player.start() })
      await lose(winner, { line, path: '/api/attempts', cut, act: stopInTime })
      const taps = await won(winner)
      await expect(other.chip).toHaveText(`${taps} TAPS to claim`)

      await lose(winner, { line, path, cut, act: enter(name) })
      await lose(winner, { line, path: '/api/claim', cut })
      await expectCredited(winner, name, taps)
      await expectCredited(other, name, taps)
    })

    // By turns, so that over both ways in and all cuts each call sees both.
    const [one, other] = (place + turn) % 2 === 0 ? [reload, reopen] : [reopen, reload]

    const leaves = `${title} and the page left: loaded or opened anew, signing in goes on where it was`
    test(leaves, longUnless(cut === short.leaves), async ({ winner, line, server }) => {
      const name = await find(server)
      let player = await loseAndLeave(winner, { line, path: '/api/rounds', cut, act: play }, one)
      player = await loseAndLeave(player, { line, path: '/api/attempts', cut }, other)
      const taps = await won(player)
      player = await loseAndLeave(player, { line, path, cut, act: enter(name) }, one)

      const claim = (claimer: Player) => claimer.button(`Claim ${taps} TAPS`).click()
      const isLost = cut === 'before the request'
      // What was cut off later was done: the prize is on the account by then, and signing in finds it. The body of an
      // answer comes after its cookie: then the browser is signed in already.
      if (!isLost && cut !== 'in the body of the answer') await player.logIn(name)
      const act = isLost ? enter(name) : claim
      player = await loseAndLeave(player, { line, path: '/api/claim', cut, act }, other)
      if (isLost) await claim(player)
      await expectCredited(player, name, taps)
    })
  }

  const again = `a guest who ${how} goes on as the account by pressing again when every answer to that was lost`
  test(again, longUnless(short.again), async ({ winner, line, server }) => {
    const name = await find(server)
    await winner.start()
    await stopInTime(winner)
    const taps = await won(winner)
    line.cut(path, 'before the answer')
    await submit(winner, verb, name)
    await expect(winner.page.getByRole('alert')).toContainText('The server cannot be reached', HASHED)
    line.mend()
    await submit(winner, verb, name)
    await expectCredited(winner, name, taps)
  })
}

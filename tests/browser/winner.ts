import { setTimeout as wait } from 'node:timers/promises'
import { expect } from '@playwright/test'
import { PASSWORD, type Player } from '../support/page-player.ts'

const HIT_MS = 20

/** Stops when it is time for the server as well. */
export async function stopInTime(player: Player): Promise<void> {
  await wait((await player.target()) + HIT_MS)
  await player.stop(HIT_MS)
}

/** Plays a hit ahead of time: the page holds it back while it could look too fast. */
export async function play(player: Player): Promise<void> {
  await player.start()
  await player.stop(HIT_MS)
}

/** The TAPS of the claim view. */
export async function won({ wonHeading }: Player): Promise<number> {
  await expect(wonHeading).toBeVisible()
  return Number((await wonHeading.innerText()).replace(/\D/g, ''))
}

/** Fills in the guest's form of the claim view and sends it. */
export async function submit(player: Player, verb: string, name: string): Promise<void> {
  await player.page.getByRole('tab', { name: verb }).click()
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await player.page.getByRole('button', { name: new RegExp(`^${verb} & claim`) }).click()
}

/** Logged in, credited, in the main view, no line left standing, and Start starts. */
export async function expectCredited(player: Player, name: string, taps: number): Promise<void> {
  await player.expectLoggedIn(name)
  await player.expectBalance(taps)
  await expect(player.startButton).toBeEnabled()
  await expect(player.chip).toBeHidden()
  await expect(player.page.getByRole('alert')).toHaveCount(0)
  await expect(player.page.getByText('Your attempt is kept here')).toBeHidden()
  await player.start()
}

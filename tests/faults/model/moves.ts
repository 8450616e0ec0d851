import { expect } from 'vitest'
import type { Claimed, PrizePool, ProblemBody, Recorded, Start } from '../../../contract/api.ts'
import { expireHolds } from '../../../server/play/prizes.ts'
import type { Answer, Client } from '../../support/client.ts'
import { startedAt } from '../../support/forgery.ts'
import { until } from '../../support/until.ts'
import { type Browser, type Cookies, type Game, heldBy, identify, type Round, recordOf } from './game.ts'
import * as rules from './rules.ts'
import type { Table } from './table.ts'

/** A browser of the model and its real counterpart. Model and server must agree on each answer. */
export interface Side {
  readonly game: Game
  readonly table: Table
  readonly browser: Browser
  readonly client: Client
}

type AnyBody = Partial<Recorded & ProblemBody & Claimed> | null

function compare(side: Side, expected: rules.Expected, { status, body }: Answer<AnyBody>): void {
  const { browser, client, table } = side
  const { round, ...plain } = expected
  const { code, attempt, taps } = body ?? {}
  expect({ status, code, won_taps: attempt?.won_taps, taps }).toEqual(plain)
  table.keepCookies(browser, client)
  const player = identify(browser)?.player
  if (player && body?.prize !== undefined) expect(body.prize?.taps ?? 0).toBe(heldBy(player))
  if (player && status === 201 && body?.record) expect(body.record).toEqual(recordOf(player))
  expect(body?.round !== undefined).toBe(round !== undefined)
  if (round && body?.round) table.checkRound(round, body.round)
}

export async function visit(side: Side): Promise<void> {
  const expected = rules.visit(side.game, side.browser)
  compare(side, expected, await side.client.get('/api/session'))
}

/** Starts the round that `of` received last. */
export async function start(side: Side, of: Side): Promise<void> {
  const { game, browser, client, table } = side
  const round = existing(of.browser.round)
  const dealt = table.dealt(round)
  const expected = rules.start(game, browser, round)
  const answer = await client.post<Start & Partial<ProblemBody>>('/api/rounds', { round: dealt.round.token })
  compare(side, expected, answer)
  if (expected.status === 201) dealt.start = answer.body
}

/** Stops the round that `of` started last. */
export async function stop(side: Side, of: Side, differenceMs: number): Promise<void> {
  await send(side, existing(of.browser.start), differenceMs)
}

/** Stops the round that `of` started last, as if Start came an hour later than it did. */
export async function stopTooEarly(side: Side, of: Side, differenceMs: number): Promise<void> {
  const { game, browser, client, table } = side
  const round = existing(of.browser.start)
  const expected = rules.stop(game, browser, { round, differenceMs }, false)
  const dealt = table.dealt(round)
  const start = startedAt(dealt.round, Date.now() + 3_600_000)
  const { target_time } = dealt.round
  compare(side, expected, await client.stop({ start, target_time }, differenceMs, browser.name))
}

/** Repeats the last attempt of `of`, with `changedMs` added to its time. */
export async function sendAgain(side: Side, of: Side, changedMs: number): Promise<void> {
  const { round, differenceMs } = existing(of.browser.sent)
  await send(side, round, differenceMs + changedMs)
}

async function send(side: Side, round: Round, differenceMs: number): Promise<void> {
  const { game, browser, client, table } = side
  const expected = rules.stop(game, browser, { round, differenceMs })
  const start = existing(table.dealt(round).start ?? null)
  compare(side, expected, await client.stop(start, differenceMs, browser.name))
}

export async function signUp(side: Side, username: string, password: string): Promise<void> {
  const expected = rules.signUp(side.game, side.browser, username, password)
  compare(side, expected, await side.client.createAccount(username, password))
}

export async function login(side: Side, username: string, password: string): Promise<void> {
  const expected = rules.login(side.game, side.browser, username, password)
  compare(side, expected, await side.client.login(username, password))
}

export async function logout(side: Side): Promise<void> {
  compare(side, rules.logout(side.browser), await side.client.post('/api/logout'))
}

export async function claim(side: Side): Promise<void> {
  compare(side, rules.claim(side.browser), await side.client.post('/api/claim'))
}

export async function changePassword(side: Side, password: string, next: string): Promise<void> {
  const expected = rules.changePassword(side.game, side.browser, password, next)
  compare(side, expected, await side.client.post('/api/password', { password, new_password: next }))
}

export async function deleteAccount(side: Side, password: string): Promise<void> {
  const expected = rules.deleteAccount(side.game, side.browser, password)
  compare(side, expected, await side.client.post('/api/users/delete', { password }))
}

/** Makes a guest's hold expire, and waits until the server or another node has returned the TAPS. */
export async function expire({ game, table, browser, client }: Side, byServer: boolean): Promise<void> {
  const player = existing(identify(browser)).player
  rules.expire(game, player)
  await table.database.query(`update holds set held_until = now() - interval '1 second' where player = $1`, [
    table.idOf(player),
  ])
  if (!byServer) return void (await expireHolds(table.database, 15))
  const pool = async () => (await client.get<PrizePool>('/api/prize-pool')).body.taps
  await until('the TAPS in the pool', async () => (await pool()) === game.pool)
}

/** Restores a backup, which ends all sessions. */
export async function restore({ game, table }: Side): Promise<void> {
  for (const session of game.sessions) session.isOpen = false
  await table.restore()
}

/** Bans the account as an operator, or lifts its ban. */
export async function toggleBan({ game, table }: Side, name: string): Promise<void> {
  const account = rules.find(game, name)
  if (!account) return
  if (account.isBanned) {
    account.isBanned = false
    await table.database.query('update users set banned_at = null where username = $1', [account.username])
    return
  }
  rules.ban(game, account)
  await table.database.query('select ban_account(id) from users where username = $1', [account.username])
}

export function putCookies({ table, browser, client }: Side, cookies: Cookies): void {
  Object.assign(browser, cookies)
  table.putCookies(client, cookies)
}

function existing<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new Error('This move is not possible in this state')
  return thing
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AttemptList, Leaderboard, PrizePool, Round, Session, Start } from '../../../contract/api.ts'
import { MY_ATTEMPTS } from '../../../contract/rules.ts'
import { toMs } from '../../../contract/time.ts'
import { checkLedger, readLedger } from '../../../server/commands/ledger.ts'
import { openBackup, writeBackup } from '../../../server/database/backup.ts'
import { type Database, openDatabase } from '../../../server/database/connection.ts'
import { restore } from '../../../server/database/restore.ts'
import { NO_RECORD, type PlayerId } from '../../../server/people/player.ts'
import { Client } from '../../support/client.ts'
import { withClient } from '../../support/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { rounds } from '../../support/forgery.ts'
import { startGame, TEST_SECRET, type TestGame } from '../../support/game.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import {
  type Attempt,
  balanceOf,
  bestHandOf,
  board,
  type Cookies,
  currentRound,
  type Game,
  heldBy,
  identify,
  type Round as ModelRound,
  type Session as ModelSession,
  type Player,
  recordOf,
  sum,
} from './game.ts'

/** The tables in an order in which foreign keys allow deletion. */
const TABLES = ['sessions', 'prizes', 'holds', 'hands', 'attempts', 'users', 'past_players']

/** A round that a player received, and the answer to its last Start. */
interface Dealt {
  readonly round: Round
  start?: Start
}

/** A real server with clients, for comparison with the model. */
export class Table {
  readonly #copy: TestDatabase
  database: Database
  #node: TestGame
  clients: Client[] = []
  /** The rounds that each player received. A round must not change when received again. */
  #dealt = new Map<Player, Dealt[]>()
  #cookies = new Map<Player | ModelSession, string>()

  private constructor(copy: TestDatabase, node: TestGame) {
    this.#copy = copy
    this.#node = node
    this.database = openDatabase(copy.connection, node.server.log)
  }

  static async open(): Promise<Table> {
    const copy = await createTestDatabase()
    return new Table(copy, await startGame(copy.connection))
  }

  async close(): Promise<void> {
    await this.#node.close()
    await this.database.end()
    await this.#copy.drop()
  }

  /** Empties the database, and replaces the clients with `count` new clients. */
  async clear(count: number): Promise<void> {
    await this.database.query(
      `${TABLES.map(table => `delete from ${table};`).join(' ')} update prize_pool set taps = 0`,
    )
    this.#dealt = new Map()
    this.#cookies = new Map()
    this.clients = Array.from({ length: count }, () => this.#newClient)
  }

  async restart(): Promise<void> {
    await this.#node.close()
    this.#node = await startGame(this.#copy.connection)
    for (const client of this.clients) client.url = this.#node.url
  }

  /** Empties the database, and restores a backup of the game into it. */
  async restore(): Promise<void> {
    await this.#node.close()
    await this.database.end()
    const home = await temporaryFolder('taps-model-')
    const folder = join(home, 'backup')
    await withClient(this.#copy.connection, client => writeBackup(client, folder, TEST_SECRET))
    await withClient(this.#copy.connection, async client => {
      await client.query('drop schema public cascade; create schema public')
      await restore(client, await openBackup(folder), async () => undefined)
    })
    await rm(home, { recursive: true })
    this.#node = await startGame(this.#copy.connection)
    this.database = openDatabase(this.#copy.connection, this.#node.server.log)
    for (const client of this.clients) client.url = this.#node.url
  }

  /** Expects a round to equal the player's earlier round of the same number. */
  checkRound({ player, number }: ModelRound, round: Round): void {
    const dealt = this.#dealt.get(player) ?? []
    dealt[number] ??= { round }
    expect(round).toEqual(dealt[number].round)
    this.#dealt.set(player, dealt)
  }

  /** @throws Error when the server has not dealt the round */
  dealt({ player, number }: ModelRound): Dealt {
    const dealt = this.#dealt.get(player)?.[number]
    if (!dealt) throw new Error('No player has received this round')
    return dealt
  }

  /** Compares a client's cookies after an answer with the model's cookies. */
  keepCookies({ guest, session }: Cookies, client: Client): void {
    for (const [name, owner] of [['taps-player', guest] as const, ['taps-session', session] as const]) {
      const cookie = client.cookies.get(name)
      expect(cookie !== undefined, name).toBe(owner !== null)
      if (!owner || !cookie) continue
      expect(cookie, name).toBe(this.#cookies.get(owner) ?? cookie)
      this.#cookies.set(owner, cookie)
    }
  }

  /** Replaces all cookies of a client. */
  putCookies(client: Client, { guest, session }: Cookies): Client {
    client.cookies.clear()
    for (const [name, owner] of [['taps-player', guest] as const, ['taps-session', session] as const]) {
      const cookie = owner && this.#cookies.get(owner)
      if (cookie) client.cookies.set(name, cookie)
    }
    return client
  }

  idOf(player: Player): PlayerId {
    return rounds.readRound(this.dealt({ player, number: 1 }).round.token).playerId
  }

  /** Expects everything that clients can see to match the model. */
  async agree(game: Game): Promise<void> {
    // Skips browsers without valid cookies, because their session request would create a guest.
    const known = game.browsers.flatMap((browser, place) => {
      const client = this.clients[place]
      return client && identify(browser) ? [{ browser, client }] : []
    })
    const [ledger, hands, pool, leaderboard, ...sessions] = await Promise.all([
      readLedger(this.database),
      this.#readHands(),
      this.#newClient.get<PrizePool>('/api/prize-pool'),
      this.#newClient.get<Leaderboard>('/api/leaderboard'),
      ...known.map(({ client, browser }) => this.#readSession(client, browser)),
    ])
    expect({
      ledger,
      hands,
      pool: shownPool(pool.body.taps, pool.body.last_win),
      ...leaderboard.body,
      sessions,
    }).toEqual({
      ledger: expectedLedger(game),
      hands: this.#expectedHands(game),
      pool: shownPool(game.pool, game.lastWin),
      leaderboard: board(game).map(account => ({
        username: account.username,
        taps_balance: balanceOf(account),
      })),
      sessions: known.map(({ browser }) => expectedSession(game, browser)),
    })
  }

  /** Expects each cookie alone to show the model's state, and the ledger to be balanced. */
  async agreeOnEachCookie(game: Game): Promise<void> {
    const guests = game.guests.map(guest => ({ guest, session: null }))
    const sessions = game.sessions.map(session => ({ guest: null, session }))
    for (const cookies of [...guests, ...sessions]) {
      const client = this.putCookies(this.#newClient, cookies)
      const { body } = await client.get<AttemptList>('/api/attempts/mine')
      const attempts = body.attempts.map(
        ({ username, is_guest, difference, verified, won_taps, claimed }) => {
          return { username, is_guest, differenceMs: toMs(difference), verified, won_taps, claimed }
        },
      )
      const played = identify(cookies)?.player.attempts ?? []
      expect(attempts).toEqual(played.toReversed().slice(0, MY_ATTEMPTS))
      expect(await this.#readSession(client, cookies)).toEqual(expectedSession(game, cookies))
    }
    const { ok, lines } = await checkLedger(this.database)
    expect(ok, lines.join('\n')).toBe(true)
  }

  /** Reads each player's best hand, of whatever day. */
  async #readHands(): Promise<Record<PlayerId, number>> {
    const { rows } = await this.database.query<{ player: PlayerId; sum: number }>(
      'select player, min(sum) as sum from hands group by player',
    )
    return Object.fromEntries(rows.map(({ player, sum }) => [player, sum]))
  }

  #expectedHands({ players }: Game): Record<PlayerId, number> {
    const hands = players.map(player => ({ player, best: bestHandOf(player) }))
    return Object.fromEntries(
      hands.flatMap(({ player, best }) => (best === null ? [] : [[this.idOf(player), best]])),
    )
  }

  async #readSession(client: Client, cookies: Cookies) {
    const session = await client.session()
    const player = identify(cookies)?.player
    if (player) this.checkRound(currentRound(player), session.round)
    return standing(session)
  }

  get #newClient(): Client {
    return new Client(this.#node.url)
  }
}

function standing({ user, rank, prize, record }: Session) {
  const { username, taps_balance } = user ?? {}
  const endless = prize?.held_until === null
  return { username, taps_balance, rank, taps: prize?.taps ?? 0, endless, record }
}

function expectedSession(game: Game, cookies: Cookies) {
  const { player, account } = identify(cookies) ?? { player: null, account: null }
  const taps = player ? heldBy(player) : 0
  return {
    username: account?.username,
    taps_balance: account ? balanceOf(account) : undefined,
    rank: account && board(game).indexOf(account) + 1,
    taps,
    endless: account !== null && taps > 0,
    record: player ? recordOf(player) : NO_RECORD,
  }
}

/** Leaves out the time of the last win, because the model has no clock. */
function shownPool(taps: number, lastWin: Pick<Attempt, 'username' | 'is_guest' | 'won_taps'> | null) {
  return { taps, winner: lastWin?.username, isGuest: lastWin?.is_guest, won_taps: lastWin?.won_taps }
}

function expectedLedger({ players, pool, accounts }: Game) {
  return {
    added: sum(players.map(({ attempts }) => attempts.length)),
    pool,
    held: sum(players.map(heldBy)),
    balances: sum(accounts.map(balanceOf)),
  }
}

import { expect } from 'vitest'
import type { AttemptList, Leaderboard, PrizePool, Round, Session } from '../../../contract/api.ts'
import { MY_ATTEMPTS } from '../../../contract/rules.ts'
import { toMs } from '../../../contract/time.ts'
import { type Database, openDatabase } from '../../../server/database/pool.ts'
import { readLedger } from '../../../server/game/ledger.ts'
import type { PlayerId } from '../../../server/identity/player.ts'
import { Client } from '../../support/client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { rounds } from '../../support/forgery.ts'
import { startGame, type TestGame } from '../../support/game.ts'
import { type Attempt, type Browser, board, type Game, heldBy, type Player, sum } from './game.ts'

/** Rows that name each other go first. */
const TABLES = ['sessions', 'flags', 'prizes', 'holds', 'attempts', 'users', 'past_players']

/** A start token and the target that came with it. */
export interface Started {
  readonly token: string
  readonly targetMs: number
}

/** A real browser without a page, and the tokens it was given last. */
export interface Seat {
  client: Client
  round: Round | null
  start: Started | null
  sent: Started | null
}

/** A real server with real browsers at it: what the model is held against. */
export class Table {
  readonly #copy: TestDatabase
  readonly database: Database
  #node: TestGame
  seats: Seat[] = []
  /** What has happened in all sequences together. */
  readonly figures = { acts: 0, wins: 0, claims: 0, returns: 0, deletions: 0 }
  /** The rounds that were handed out to each player: a round is never another one when asked for again. */
  #dealt = new Map<Player, Map<number, Round>>()

  private constructor(copy: TestDatabase, node: TestGame) {
    this.#copy = copy
    this.#node = node
    this.database = openDatabase(copy.connection, node.app.log)
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

  /** Everybody leaves, nothing was ever played, new browsers sit down. */
  async clear(count: number): Promise<void> {
    await this.database.query(
      `${TABLES.map(table => `delete from ${table};`).join(' ')} update prize_pool set taps = 0`,
    )
    this.#dealt = new Map()
    this.seats = Array.from({ length: count }, () => ({
      client: new Client(this.#node.url),
      round: null,
      start: null,
      sent: null,
    }))
  }

  /** Ends the server and starts another one on the same database. */
  async restart(): Promise<void> {
    await this.#node.close()
    this.#node = await startGame(this.#copy.connection)
    for (const seat of this.seats) seat.client = seat.client.copy(this.#node.url)
  }

  /** Holds a round that was handed out against the one that the player got for this number before. */
  checkRound(player: Player, number: number, round: Round): void {
    const dealt = this.#dealt.get(player) ?? new Map<number, Round>()
    expect(round).toEqual(dealt.get(number) ?? round)
    this.#dealt.set(player, dealt.set(number, round))
  }

  /** The id of a player, which only the server and its tests can read from a round. */
  idOf(player: Player): PlayerId {
    const [round] = this.#dealt.get(player)?.values() ?? []
    if (!round) throw new Error('This player was never given a round')
    return rounds.readRound(round.token).player
  }

  /** What anybody can see at any time must be as the model has it. */
  async agree(game: Game): Promise<void> {
    const known = this.#known(game)
    const [ledger, pool, leaderboard, ...sessions] = await Promise.all([
      readLedger(this.database),
      this.#stranger.get<PrizePool>('/api/prize-pool'),
      this.#stranger.get<Leaderboard>('/api/leaderboard'),
      ...known.map(({ seat, player }) => this.#look(seat, player)),
    ])
    expect({
      ledger,
      pool: shownPool(pool.body.taps, pool.body.last_win),
      ...leaderboard.body,
      sessions,
    }).toEqual({
      ledger: expectedLedger(game),
      pool: shownPool(game.pool, game.lastWin),
      leaderboard: board(game).map(({ username, taps_balance }) => ({ username, taps_balance })),
      sessions: known.map(({ browser, player }) => expectedSession(game, browser, player)),
    })
  }

  /** And so must be what everybody has played, which changes in nothing but `claimed`. */
  async agreeOnAttempts(game: Game): Promise<void> {
    for (const { seat, player } of this.#known(game)) {
      const { body } = await seat.client.get<AttemptList>('/api/attempts/mine')
      const attempts = body.attempts.map(({ username, is_guest, difference, won_taps, claimed }) => {
        return { username, is_guest, differenceMs: toMs(difference), won_taps, claimed }
      })
      expect(attempts).toEqual(player.attempts.toReversed().slice(0, MY_ATTEMPTS))
    }
  }

  /** The browsers that are somebody: to ask for nobody's session would make it a guest. */
  #known({ browsers }: Game) {
    return browsers.flatMap((browser, place) => {
      const seat = this.seats[place]
      return browser.player && seat ? [{ browser, seat, player: browser.player }] : []
    })
  }

  async #look(seat: Seat, player: Player) {
    const session = await seat.client.session()
    this.checkRound(player, player.attempts.length + 1, session.round)
    return standing(session)
  }

  get #stranger(): Client {
    return new Client(this.#node.url)
  }
}

function standing({ user, rank, prize }: Session) {
  const { username, taps_balance } = user ?? {}
  return { username, taps_balance, rank, taps: prize?.taps ?? 0, endless: prize?.held_until === null }
}

function expectedSession(game: Game, { account }: Browser, player: Player) {
  const taps = heldBy(player)
  return {
    username: account?.username,
    taps_balance: account?.taps_balance,
    rank: account && board(game).indexOf(account) + 1,
    taps,
    endless: account !== null && taps > 0,
  }
}

/** Of the last win not when it was: the model has no clock. */
function shownPool(taps: number, lastWin: Pick<Attempt, 'username' | 'won_taps'> | null) {
  return { taps, winner: lastWin?.username, won_taps: lastWin?.won_taps }
}

function expectedLedger({ players, pool, accounts }: Game) {
  return {
    added: sum(players.map(({ attempts }) => attempts.length)),
    pool,
    held: sum(players.map(heldBy)),
    balances: sum(accounts.map(({ taps_balance }) => taps_balance)),
  }
}

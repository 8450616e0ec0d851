import type { ClientBase } from 'pg'
import type { Account } from '../../identity/directory.ts'
import { actsOn, type PastAct } from '../../identity/operator-acts.ts'
import type { PlayerId } from '../../identity/player.ts'
import { attemptIn, count, findAccount, type Game, idIn, noAccount, quote, type Report } from './game.ts'
import { type AccountPrize, readPrizes, readTotal, type Total } from './prizes.ts'

/** Prizes that are shown at once, the newest. */
const MAX_PRIZES = 50
/** Acts of operators that are shown, the newest. */
const MAX_ACTS = 20

/** Whose story is told. */
interface Subject {
  readonly id: number
  readonly player: PlayerId
  /** What its claimed prizes must come to, and what that is called. */
  readonly balance: number
  readonly balanceName: string
  readonly lines: readonly string[]
  /** For programs. */
  readonly data: Account | { readonly id: number; readonly player: PlayerId; readonly balance: number }
}

export async function show({ client }: Game, words: string, attempt?: string): Promise<Report> {
  const upTo = attempt === undefined ? Number.MAX_SAFE_INTEGER : attemptIn(attempt)
  // All of it as it is at one moment.
  await client.query('begin isolation level repeatable read, read only')
  const subject = await find(client, words)
  const { attempts, held } = await readPlayer(client, subject.player)
  const { prizes, older } = await readPrizes(client, subject.player, upTo, MAX_PRIZES)
  const total = await readTotal(client, subject.player)
  const { acts, total: allActs } = await actsOn(client, subject.id, MAX_ACTS)
  await client.query('commit')
  const { sound, lines } = check(subject, total, held)
  return {
    sound,
    lines: [
      ...subject.lines,
      `${count(attempts, 'attempt')} played; ${count(total.prizes, 'prize')}, own and brought along${prizes.length > 0 ? ':' : '.'}`,
      ...prizes.map(prize => `  ${describe(prize, subject)}`),
      ...describeOlder(subject, prizes.at(-1), older),
      ...lines,
      ...describeActs(acts, allActs),
    ],
    data: {
      sound,
      account: subject.data,
      attempts,
      prizes,
      older,
      total,
      held,
      acts,
      olderActs: allActs - acts.length,
    },
  }
}

async function find(client: ClientBase, words: string): Promise<Subject> {
  const account = await findAccount(client, words)
  if (account) return ofAccount(account)
  const id = idIn(words)
  // All that names a deleted account are the holds that it has claimed.
  const { rows } = await client.query<{ player: PlayerId; balance: number }>(
    'select player, sum(taps) as balance from holds where claimed_by = $1 group by player',
    [id],
  )
  const [deleted] = rows
  if (id === undefined || !deleted) throw noAccount(words)
  const line = `id:${id}, deleted: the ${deleted.balance} TAPS of its balance went back to the pool.`
  return {
    id,
    ...deleted,
    balanceName: 'balance when it was deleted',
    lines: [line],
    data: { id, ...deleted },
  }
}

function ofAccount(account: Account): Subject {
  const { id, username, player, balance } = account
  const states = [
    ['banned', account.bannedAt],
    ['hidden', account.hiddenAt],
    ['flagged', account.flaggedAt],
  ] as const
  const lines = [
    `id:${id} ${quote(username)}, since ${at(account.createdAt)}, player ${player}`,
    ...states.flatMap(([state, since]) => (since ? [`It is ${state} since ${at(since)}.`] : [])),
  ]
  return { id, player, balance, balanceName: 'balance', lines, data: account }
}

/** How many attempts a player has made, and what their open hold says is held. */
async function readPlayer(client: ClientBase, player: PlayerId): Promise<{ attempts: number; held: number }> {
  const { rows } = await client.query<{ attempts: number; held: number }>(
    `select
      (select count(*) from attempts where player = $1) as attempts,
      coalesce((select taps from holds where player = $1 and ended_at is null), 0) as held`,
    [player],
  )
  return rows[0] ?? { attempts: 0, held: 0 }
}

function describe(prize: AccountPrize, { player }: Subject): string {
  const { attempt, targetTime, actualTime, taps, username, isGuest, state, endedAt } = prize
  const whose = prize.player === player ? '' : `, player ${prize.player}`
  return [
    `attempt ${attempt}, ${at(prize.at)}: ${actualTime.toFixed(3)} s for ${targetTime.toFixed(2)} s won ${taps} TAPS`,
    ...(isGuest ? [`as guest ${quote(username)}${whose}`] : []),
    state === 'returned' ? 'returned to the pool' : state,
  ]
    .join(', ')
    .concat(endedAt ? ` ${at(endedAt)}` : '')
}

function describeOlder({ id }: Subject, last: AccountPrize | undefined, older: number): string[] {
  if (!last || older === 0) return []
  return [`  ${count(older, 'older prize')}, line by line: npm run players show id:${id} ${last.attempt - 1}`]
}

/** Whether what the prizes come to is what the account has. */
function check(
  { balance, balanceName }: Subject,
  total: Total,
  held: number,
): Report & { readonly sound: boolean } {
  const ofBalance = total.claimed === balance
  const ofHold = total.held === held
  return {
    sound: ofBalance && ofHold,
    lines: [
      `In all: ${total.claimed} TAPS claimed, ${total.held} held, ${total.returned} returned to the pool.`,
      ofBalance
        ? `The ${balanceName} is ${balance} TAPS, as much as was claimed.`
        : `The ${balanceName} is ${balance} TAPS, but ${total.claimed} were claimed.`,
      ofHold
        ? `What is held is ${held} TAPS, as much as the held prizes.`
        : `What is held is ${held} TAPS, but the held prizes come to ${total.held}.`,
    ],
  }
}

function describeActs(acts: readonly PastAct[], total: number): string[] {
  if (total === 0) return ['No operator has done anything to it.']
  const more = total > acts.length ? [`  and ${count(total - acts.length, 'act')} before`] : []
  return ['What operators did:', ...acts.map(act => `  ${describeAct(act)}`), ...more]
}

function describeAct({ act, name, detail, byUser, createdAt }: PastAct): string {
  const of = name === null ? '' : ` ${quote(name)}`
  return `${at(createdAt)} ${act}${of}${detail === null ? '' : `, ${quote(detail)}`}, by ${byUser}`
}

function at(moment: Date): string {
  return moment.toISOString()
}

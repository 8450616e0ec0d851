import type { ClientBase } from 'pg'
import {
  type DeletedAccount,
  deletedAccount,
  readStory,
  type Story,
  type StoryLine,
  type StorySum,
} from '../../game/story.ts'
import type { Account } from '../../identity/directory.ts'
import { actsOn, type PastAct } from '../../identity/operator-acts.ts'
import { attemptIn, count, findAccount, type Game, idIn, noAccount, quote, type Report } from './game.ts'

/** Acts of operators that are shown, the newest. */
const MAX_ACTS = 20

/** Whose story is told. */
interface Subject {
  readonly id: number
  readonly player: string
  /** What its claimed prizes must come to, and what that is called. */
  readonly balance: number
  readonly balanceName: string
  readonly lines: readonly string[]
  /** For programs. */
  readonly data: Account | (DeletedAccount & { readonly id: number })
}

export async function show({ client }: Game, words: string, attempt?: string): Promise<Report> {
  const upTo = attempt === undefined ? undefined : attemptIn(attempt)
  // All of it as it is at one moment.
  await client.query('begin isolation level repeatable read, read only')
  const subject = await find(client, words)
  const story = await readStory(client, subject.player, upTo)
  const { acts, total } = await actsOn(client, subject.id, MAX_ACTS)
  await client.query('commit')
  const { sound, lines } = check(subject, story)
  return {
    sound,
    lines: [
      ...subject.lines,
      `${count(story.attempts, 'attempt')} played; ${count(story.total.prizes, 'prize')}, own and brought along${story.lines.length > 0 ? ':' : '.'}`,
      ...story.lines.map(line => `  ${describe(line, subject)}`),
      ...older(subject, story),
      ...lines,
      ...describeActs(acts, total),
    ],
    data: { sound, account: subject.data, ...story, acts, olderActs: total - acts.length },
  }
}

async function find(client: ClientBase, words: string): Promise<Subject> {
  const account = await findAccount(client, words)
  if (account) return ofAccount(account)
  const id = idIn(words)
  const deleted = id === undefined ? undefined : await deletedAccount(client, id)
  if (id === undefined || !deleted) throw noAccount(words)
  const { player, deletedAt, forfeited } = deleted
  const line = `id:${id}, deleted ${at(deletedAt)}: the ${forfeited} TAPS of its balance went back to the pool.`
  const balanceName = 'balance when it was deleted'
  return { id, player, balance: forfeited, balanceName, lines: [line], data: { id, ...deleted } }
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

function describe(line: StoryLine, { player }: Subject): string {
  const { attempt, targetTime, actualTime, taps, username, isGuest, broughtAt, state, endedAt } = line
  const whose = line.player === player ? '' : `, player ${line.player}`
  return [
    `attempt ${attempt}, ${at(line.at)}: ${actualTime.toFixed(3)} s for ${targetTime.toFixed(2)} s won ${taps} TAPS`,
    ...(isGuest ? [`as guest ${quote(username)}${whose}`] : []),
    ...(broughtAt ? [`brought along ${at(broughtAt)}`] : []),
    state === 'returned' ? 'returned to the pool' : state,
  ]
    .join(', ')
    .concat(endedAt ? ` ${at(endedAt)}` : '')
}

function older({ id }: Subject, { older, lines }: Story): string[] {
  const last = lines.at(-1)
  if (!last || older.prizes === 0) return []
  const next = `npm run players show id:${id} ${last.attempt - 1}`
  return [`  ${count(older.prizes, 'older prize')}: ${inWords(older)}; line by line: ${next}`]
}

/** Whether what the prizes come to is what the account has. */
function check({ balance, balanceName }: Subject, { total, held }: Story): Report & { sound: boolean } {
  const ofBalance = total.claimed === balance
  const ofHolds = total.held === held
  return {
    sound: ofBalance && ofHolds,
    lines: [
      `In all: ${inWords(total)}.`,
      ofBalance
        ? `The ${balanceName} is ${balance} TAPS, as much as was claimed.`
        : `The ${balanceName} is ${balance} TAPS, but ${total.claimed} were claimed.`,
      ofHolds
        ? `What is held is ${held} TAPS, as much as the held prizes.`
        : `What is held is ${held} TAPS, but the held prizes come to ${total.held}.`,
    ],
  }
}

function inWords({ claimed, held, returned }: StorySum): string {
  return `${claimed} TAPS claimed, ${held} held, ${returned} returned to the pool`
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

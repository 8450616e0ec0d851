import { readFile } from 'node:fs/promises'
import { MY_ATTEMPTS } from '../../contract/rules.ts'
import { ATTEMPT_COLUMNS, ATTEMPT_JOINS } from '../../server/game/attempts.ts'
import type { Month, Past } from './past.ts'

const RECORD_ATTEMPTS = new URL('../../acts/record_attempts.sql', import.meta.url)

/** A way to keep attempts, on top of the product's own tables and acts. */
export interface Layout {
  /** Also the name of its database. */
  readonly name: string
  /** Of the table of prizes. */
  readonly prizeColumns: 'attempt_id, taps' | 'attempt_id, taps, player'
  /** Before and after attempts are filled in. */
  prepare(past: Past): Promise<string>
  index(): string
  /** Reads the newest attempts of player $1. */
  readonly ownAttempts: string
  /** What COPY writes of one month, and of all. */
  monthRows(month: Month): string
  readonly allRows: readonly string[]
  /** Takes a month out and leaves its sum, in statements of one transaction: until the last ones nobody waits. */
  prune(month: Month): { readonly first: string; readonly last: readonly string[] }
  readonly beforePrune: string
  readonly afterPrune: string
}

/** As the product has it. */
export const oneTable: Layout = {
  name: 'one_table',
  prizeColumns: 'attempt_id, taps',
  // Emptied here, so that what is filled in need not go through the log; indexes are quicker made afterwards.
  prepare: async () => `
    truncate attempts, prizes;
    alter table attempts drop constraint attempts_pkey cascade, drop constraint attempts_player_round_key`,
  index: () => `
    alter table attempts add primary key (id), add unique (player, round);
    alter table prizes add foreign key (attempt_id) references attempts`,
  ownAttempts: `
    select ${ATTEMPT_COLUMNS} from attempts ${ATTEMPT_JOINS}
    where attempts.player = $1
      and attempts.round > (select max(round) from attempts where attempts.player = $1) - ${MY_ATTEMPTS}
    order by attempts.round desc limit ${MY_ATTEMPTS}`,
  monthRows: ({ from, to }) =>
    `(select * from attempts where created_at >= '${from}' and created_at < '${to}')`,
  allRows: ['attempts'],
  // Here as well no prize may refer to an attempt that goes.
  beforePrune:
    'begin; select from prize_pool for update; alter table prizes drop constraint prizes_attempt_id_fkey; commit',
  prune: ({ from, to }) => ({
    first: `
      with gone as (delete from attempts where created_at >= '${from}' and created_at < '${to}' returning taps_added)
      insert into attempts_sums select '${from}', count(*), sum(taps_added) from gone`,
    last: [],
  }),
  afterPrune: 'vacuum attempts',
}

/** Partitions by month: what is the same however it is kept that a round counts once. */
const months = {
  // A prize keeps the winner, whom the laws of the ledger ask for, as it can no longer refer to its attempt.
  prizeColumns: 'attempt_id, taps, player',
  monthRows: ({ table }) => table,
  prune: ({ table, from }) => ({
    first: `insert into attempts_sums select '${from}', count(*), sum(taps_added) from ${table}`,
    last: [
      `set local lock_timeout = '1s'`,
      // First, like every act: a batch that has the pool and wants the table would wait for us as we wait for it.
      'select from prize_pool for update',
      `alter table attempts detach partition ${table}`,
      `drop table ${table}`,
    ],
  }),
  beforePrune: 'select',
  afterPrune: 'select',
} satisfies Partial<Layout>

function prepareMonths(past: Past): string {
  return `
    alter table prizes drop constraint prizes_attempt_id_fkey, add player uuid not null;
    truncate prizes;
    alter table attempts rename to one_table;
    create table attempts (like one_table including defaults including constraints including generated)
      partition by range (created_at);
    drop table one_table;
    create sequence attempts_id_seq owned by attempts.id;
    ${past.months
      .map(
        ({ table, from, to }) =>
          `create table ${table} partition of attempts for values from ('${from}') to ('${to}')`,
      )
      .join(';')};`
}

/**
 * A unique key of partitions would have to hold the time, so that (player, round) is unique in a table of its own, which
 * also says in which month a round is.
 */
export const byMonth: Layout = {
  ...months,
  name: 'by_month',
  prepare: async past => `
    ${prepareMonths(past)}
    create table played_rounds (
      player     uuid not null,
      round      integer not null,
      attempt_id bigint not null,
      created_at timestamptz not null
    );
    ${await recordWith(
      'select from played_rounds as played where played.player = input.player and played.round = input.round offset 0',
      'insert into played_rounds select player, round, id, now() from judged',
    )}`,
  index: () => `
    create index on attempts (id);
    insert into played_rounds select player, round, id, created_at from attempts;
    alter table played_rounds add primary key (player, round)`,
  ownAttempts: `
    select ${ATTEMPT_COLUMNS}
    from (
      select * from played_rounds as played
      where played.player = $1
        and played.round > (select max(round) from played_rounds where player = $1) - ${MY_ATTEMPTS}
    ) as played
    cross join lateral (
      select * from attempts where attempts.id = played.attempt_id and attempts.created_at = played.created_at limit 1
    ) as attempts
    ${ATTEMPT_JOINS}
    order by attempts.round desc limit ${MY_ATTEMPTS}`,
  allRows: ['(select * from attempts)', 'played_rounds'],
}

/**
 * Rounds of a player are recorded in their order, so that one row a player, the last of them, says of every round whether
 * it was played; each partition has an index of its own by which one is found.
 */
export const byLastRound: Layout = {
  ...months,
  name: 'by_last_round',
  prepare: async past => `
    ${prepareMonths(past)}
    create table last_rounds (player uuid not null, round integer not null) with (fillfactor = 70);
    ${await recordWith(
      'select from last_rounds as last where last.player = input.player and last.round >= input.round offset 0',
      `insert into last_rounds select player, max(round) from judged group by player
        on conflict (player) do update set round = excluded.round`,
    )}`,
  index: () => `
    create index on attempts (id);
    create index on attempts (player, round);
    insert into last_rounds select player, max(round) from attempts group by player;
    alter table last_rounds add primary key (player)`,
  ownAttempts: `
    select ${ATTEMPT_COLUMNS} from attempts ${ATTEMPT_JOINS}
    where attempts.player = $1
      and attempts.round > (select last.round from last_rounds as last where last.player = $1) - ${MY_ATTEMPTS}
    order by attempts.round desc limit ${MY_ATTEMPTS}`,
  allRows: ['(select * from attempts)', 'last_rounds'],
}

/** The product's own act, but for where a round is looked for and what it leaves. */
async function recordWith(look: string, note: string): Promise<string> {
  const act = await readFile(RECORD_ATTEMPTS, 'utf8')
  const changes = [
    [
      'select from attempts where attempts.player = input.player and attempts.round = input.round offset 0',
      look,
    ],
    ['), prized as (', `), noted as (${note}), prized as (`],
    ['insert into prizes (attempt_id, taps)', 'insert into prizes (attempt_id, taps, player)'],
    ['select id, won_taps from judged', 'select id, won_taps, player from judged'],
  ] as const
  return changes.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`record_attempts no longer says once: ${from}`)
    return text.replace(from, to)
  }, act)
}

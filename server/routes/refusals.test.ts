import { beforeAll, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint, type ProblemBody } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { startedAt } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'hunter2 hunter2'
const NAME = 'A Name Nobody Should Log'

type Sender = 'a stranger' | 'a guest' | 'an account'
let browsers: Record<Sender, CheckedClient>

/** The token for each placeholder in the table. No token exists yet when the table is built. */
let tokens: Record<string, string> = {}

/** Every line that the server has logged. */
const lines: string[] = []

beforeAll(async () => {
  const write = (line: string) => void lines.push(line)
  const node = await world.addNode({}, { write })
  const [guest, account, banned] = [world.newcomer(node), world.newcomer(node), world.newcomer(node)]
  browsers = { 'a stranger': world.newcomer(node), 'a guest': guest, 'an account': account }

  const { round: first } = await guest.session()
  const { body } = await guest.play(500, 'Played')
  const played = await guest.post<ProblemBody>('/api/rounds', { round: first.token })
  expect(played.body.round).toEqual(body.round)
  tokens = {
    '(played round)': first.token,
    '(round)': body.round.token,
    '(start)': (await guest.start(body.round)).start,
    '(start of a played round)': startedAt(first, Date.now()),
    '(old start)': startedAt(body.round, Date.now() - ROUND_LIFETIME_MS - 1_000),
  }
  await account.createAccount('Two Words', PASSWORD)
  await banned.createAccount('Banned', PASSWORD)
  await world.sql("update users set banned_at = now() where username = 'Banned'")
})

/** A request and the expected refusal. The default title is the one in `PROBLEMS`. */
type Row = [by: Sender, path: string, body: object, code: ProblemCode, title?: string | undefined]

/** Describes requests to `path` that differ from the valid `body`. */
function to(path: string, body: object) {
  return (by: Sender, more: object, code: ProblemCode, title?: string): Row => {
    return [by, path, { ...body, ...more }, code, title]
  }
}

const start = to('/api/rounds', { round: '(round)' })
// No repetition, because its time differs from the played attempt's.
const stop = to('/api/attempts', { start: '(start)', username: NAME, actual_time: 2.001 })
const change = to('/api/password', { password: PASSWORD, new_password: 'staple that battery' })
const login = ofStranger(to('/api/login', { username: 'Two Words', password: PASSWORD }))
const signUp = ofStranger(to('/api/users', { username: 'Weak Otter', password: PASSWORD }))

function ofStranger(row: ReturnType<typeof to>) {
  return (more: object, code: ProblemCode, title?: string) => row('a stranger', more, code, title)
}

const FORBIDDEN_SIGN =
  "A name cannot contain ;, only letters, digits, spaces, emoji and - _ . ' ! ? & + ( ) ,"
const OWN_NAME = 'The password must differ from the username'

const ROWS: Row[] = [
  start('a guest', { round: 'none' }, 'bad_token'),
  start('a guest', { round: '(played round)' }, 'stale_round'),
  start('a guest', { round: '(played round)', username: 'Admin' }, 'stale_round'),
  start('an account', {}, 'stale_round'),
  start('a guest', { username: ' ' }, 'blank_username', 'Please enter your name first!'),
  start('a guest', { username: 'Admin' }, 'bad_username'),

  stop('a guest', { start: 'none' }, 'bad_token'),
  stop('an account', {}, 'stale_round'),
  stop('a guest', { start: '(start of a played round)' }, 'round_already_played'),
  stop('a guest', { start: '(old start)' }, 'round_expired'),
  stop('a guest', { username: ' ' }, 'blank_username', 'Please enter your name first!'),
  stop('a guest', { username: 'Admin' }, 'bad_username'),

  ...[{ password: undefined }, { username: ' \u200b' }, { password: '' }].map(less =>
    login(less, 'missing_credentials', 'Please enter both username and password'),
  ),
  // The second name cannot be stored in the database.
  ...['Nobody At All', 'a\0b'].map(username =>
    login({ username }, 'unknown_username', 'No account with this username'),
  ),
  login({ password: 'a wrong password' }, 'invalid_password', 'Invalid password'),
  login({ username: 'Banned', password: 'a wrong password' }, 'invalid_password', 'Invalid password'),
  login({ username: 'Banned' }, 'account_banned'),

  // The second name is another spelling of the first.
  ...['Two Words', ' TWÖ words_ '].map(username =>
    signUp({ username, password: 'another password' }, 'username_taken', 'This username is already taken'),
  ),
  signUp(
    { username: 'Banned' },
    'account_banned',
    'This account is banned; ask the operator of this game why',
  ),
  signUp({ username: 'Banned', password: 'a wrong password' }, 'username_taken'),
  signUp({ password: 'WEAK OTTER' }, 'weak_password', OWN_NAME),
  signUp({ username: '' }, 'bad_username', 'Please enter your name first!'),
  signUp({ username: "'; drop table users; --" }, 'bad_username', FORBIDDEN_SIGN),
  signUp({ username: 'Admin' }, 'bad_username', 'This name cannot be used here; please choose another'),

  ['a stranger', '/api/claim', {}, 'login_required'],
  ['a guest', '/api/claim', {}, 'login_required'],
  change('a stranger', {}, 'login_required'),
  change('a guest', {}, 'login_required'),
  change('an account', { password: 'a wrong password' }, 'invalid_password', 'Invalid password'),
  change('an account', { new_password: 'two words' }, 'weak_password', OWN_NAME),
  ['a stranger', '/api/users/delete', { password: PASSWORD }, 'login_required'],
  ['a guest', '/api/users/delete', { password: PASSWORD }, 'login_required'],
  ['an account', '/api/users/delete', { password: 'not this' }, 'invalid_password', 'Invalid password'],
]

test.each(ROWS)('refuses %s at %s with %j: %s', async (by, path, body, code, title) => {
  const filled = Object.entries(body).map(([name, value]) => [name, tokens[`${value}`] ?? value])
  const before = await contents()
  const answer = await browsers[by].post(path, Object.fromEntries(filled))
  expect(answer.body).toMatchObject({ ...PROBLEMS[code], code, ...(title && { title }) })
  expect(answer.headers.getSetCookie(), 'cookies set by the refusal').toEqual([])
  expect(await contents()).toEqual(before)
})

/** Reads all rows of the tables that a request may change. */
async function contents(): Promise<unknown> {
  return world.sql(`
    select
      (select json_agg(users order by id) from users) as users,
      (select json_agg(sessions order by token_hash) from sessions) as sessions,
      (select json_agg(attempts order by id) from attempts) as attempts,
      (select json_agg(prizes order by attempt_id) from prizes) as prizes,
      (select json_agg(holds order by id) from holds) as holds,
      (select json_agg(prize_pool) from prize_pool) as prize_pool`)
}

test('covers every refusal that the contract declares, except two', () => {
  const tested = new Set(ROWS.map(([, path, , code]) => `${path} ${code}`))
  const declared = Object.values<Endpoint>(ENDPOINTS).flatMap(({ url, problems }) =>
    problems.map(code => `${url} ${code}`),
  )
  // tests/browser/links.spec.ts covers `cross_site`, and account.test.ts `password_changed`, which needs two devices.
  const others = declared.filter(refusal => !tested.has(refusal))
  expect(others).toEqual(['/api/session cross_site', '/api/password password_changed'])
})

test('logs no password, cookie, token or name of the refused requests', () => {
  const cookies = Object.values(browsers).flatMap(({ cookies }) => [...cookies.values()])
  const secrets = [PASSWORD, NAME, ...Object.values(tokens), ...cookies]
  expect(secrets.every(secret => secret.length > 10)).toBe(true)
  const log = lines.join('')
  expect(log).toContain('account created')
  for (const secret of secrets) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/^\S+ error /m)
})

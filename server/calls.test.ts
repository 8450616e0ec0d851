import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckedClient } from '../tests/support/checked-client.ts'
import { openWorld } from '../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'hunter2 hunter2'
const NAME = 'A Name Nobody Should Log'

/** Everything that the server wrote to its log, at its most talkative. */
let log = ''
let guest: CheckedClient
let member: CheckedClient
let start = ''
let url = ''

beforeAll(async () => {
  const stream = {
    write(line: string) {
      log += line
    },
  }
  const node = await world.addNode({ logLevel: 'trace' }, stream)
  url = node.url
  guest = world.newcomer(node)
  start = await guest.start((await guest.session()).round)
  member = world.newcomer(node)
  await member.createAccount('Member', PASSWORD)
  await member.play((await member.session()).round, 0)
})

/** Runs an act that must leave every table as it was. */
async function unchanged<Result>(act: () => Promise<Result>): Promise<Result> {
  const before = await contents()
  const result = await act()
  expect(await contents()).toEqual(before)
  return result
}

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

/** The text of an attempt with one property in other words. */
function attemptWith(property: string, text: string): string {
  const members = { start: JSON.stringify(start), username: JSON.stringify(NAME), actual_time: '2.345' }
  const all = Object.entries({ ...members, [property]: text })
  return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

describe('an attempt is refused as not valid when its time is', () => {
  test.each([
    ['a text', '"1.5"'],
    ['true', 'true'],
    ['null', 'null'],
    ['a list', '[1.5]'],
    ['an object', '{"valueOf":1}'],
    ['missing', 'undefined'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['1e999', '1e999'],
    ['negative', '-1.5'],
    ['nothing', '0'],
    ['negative nothing', '-0'],
    ['next to nothing', '1e-10'],
    ['of 4 decimals', '1.2345'],
    ['half a millisecond', '0.0005'],
    ['over ten minutes', '600.001'],
    ['absurd', '1e15'],
    ['hexadecimal', '0x10'],
  ])('%s', async (_, text) => {
    const { body } = await unchanged(() =>
      guest.send('/api/attempts', { method: 'POST', text: attemptWith('actual_time', text) }),
    )
    expect(body).toMatchObject({ status: 400, code: 'invalid_request' })
  })
})

describe('an attempt is refused as not valid when it has', () => {
  test.each([
    ['an unknown property', () => attemptWith('taps_added', '1000')],
    ['an unknown difference', () => attemptWith('difference', '0')],
    ['a number for a name', () => attemptWith('username', '7')],
    ['a name of 201 letters', () => attemptWith('username', JSON.stringify('x'.repeat(201)))],
    ['null for a name', () => attemptWith('username', 'null')],
    ['a number for a token', () => attemptWith('start', '7')],
    ['a token of 1,025 letters', () => attemptWith('start', JSON.stringify('x'.repeat(1_025)))],
    ['a prototype', () => attemptWith('__proto__', '{"taps_added":1000}')],
    ['a constructor', () => attemptWith('constructor', '{"prototype":{"taps_added":1000}}')],
    ['an open bracket', () => attemptWith('username', '"x').slice(0, -1)],
    ['single quotes', () => "{'start':'x'}"],
    ['a comma too many', () => attemptWith('username', '"x",')],
    ['a NUL between', () => `\0${attemptWith('username', '"x"')}`],
    ['nothing in it', () => ''],
    ['an empty object', () => '{}'],
    ['a list around it', () => `[${attemptWith('username', '"x"')}]`],
    ['only null', () => 'null'],
    ['only a text', () => '"start"'],
  ])('%s', async (_, text) => {
    const { body } = await unchanged(() => guest.send('/api/attempts', { method: 'POST', text: text() }))
    expect(body).toMatchObject({ status: 400, code: 'invalid_request' })
  })
})

describe.each(['/api/login', '/api/users'])('%s', path => {
  test.each([
    ['a number for a name', { username: 7, password: PASSWORD }],
    ['a list for a name', { username: ['Member'], password: PASSWORD }],
    ['an object for a password', { username: 'Member', password: { $ne: null } }],
    ['true for a password', { username: 'Member', password: true }],
    ['null for a password', { username: 'Member', password: null }],
    ['an unknown property', { username: 'Member', password: PASSWORD, taps_balance: 1_000 }],
    ['a name of 201 letters', { username: 'x'.repeat(201), password: PASSWORD }],
    ['a password of 1,025 letters', { username: 'Member', password: 'x'.repeat(1_025) }],
  ])('refuses %s', async (_, json) => {
    const { body } = await unchanged(() => guest.post(path, json))
    expect(body).toMatchObject({ status: 400, code: 'invalid_request' })
  })
})

describe('what is not JSON is refused', () => {
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['text/json'],
    ['application/xml'],
    ['application/jsonp'],
    [''],
  ])('as %j', async type => {
    for (const path of [
      '/api/attempts',
      '/api/login',
      '/api/users',
      '/api/rounds',
      '/api/claim',
      '/api/logout',
    ]) {
      const text = attemptWith('username', '"x"')
      const headers = { 'content-type': type }
      const { body } = await unchanged(() => member.send(path, { method: 'POST', text, headers }))
      expect(body).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    }
  })
})

test.each(['/api/attempts', '/api/login', '/api/users', '/api/rounds', '/api/claim', '/api/logout'])(
  '%s refuses a body of more than 8 KB',
  async path => {
    const { body } = await unchanged(() => member.post(path, { username: 'x'.repeat(9_000) }))
    expect(body).toMatchObject({ status: 413, code: 'too_large' })
  },
)

describe.each(['/api/claim', '/api/logout'])('%s, which takes no body,', path => {
  test.each([['{"user_id":1}'], ['"x"'], ['1'], ['true'], ['[1]'], ['{'], ['{"__proto__":{"x":1}}']])(
    'refuses %s',
    async text => {
      const { body } = await unchanged(() => member.send(path, { method: 'POST', text }))
      expect(body).toMatchObject({ status: 400, code: 'invalid_request' })
    },
  )
})

test.each([[''], ['{}'], ['null']])('a claim takes %j for no body', async text => {
  const other = world.newcomer()
  await other.createAccount(`Claims with ${text.length}`, PASSWORD)
  expect((await other.send('/api/claim', { method: 'POST', text })).status).toBe(200)
})

describe('there is nothing at', () => {
  test.each([
    ['GET', '/nowhere'],
    ['GET', '/api'],
    ['GET', '/api/nothing'],
    ['POST', '/nowhere'],
    ['PROPFIND', '/nowhere'],
    ['GET', '/..%2f..%2fetc%2fpasswd'],
    ['GET', '/.env'],
    ['GET', '/assets/../../package.json'],
    ['OPTIONS', '/nowhere'],
    ['GET', '/api/attempts/1'],
  ])('%s %s', async (method, path) => {
    const { body } = await unchanged(() => guest.send(path, { method }))
    expect(body).toEqual({ status: 404, code: 'not_found', title: 'There is nothing here' })
  })
})

describe('what a path is not served with is refused, with word of what it is served with', () => {
  test.each([
    ['GET', '/api/login', 'POST'],
    ['PUT', '/api/session', 'GET, HEAD'],
    ['POST', '/api/session', 'GET, HEAD'],
    ['DELETE', '/api/users', 'POST'],
    ['PATCH', '/api/attempts', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/attempts?a=b', 'GET, HEAD, POST'],
    ['POST', '/api/live', 'GET'],
    ['DELETE', '/', 'GET, HEAD'],
    ['PROPFIND', '/healthz', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    const { body, headers } = await unchanged(() => guest.send(path, { method }))
    expect(body).toEqual({ status: 405, code: 'method_not_allowed', title: 'This cannot be done here' })
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted())
  })
})

test('what is too long is said to be too long', async () => {
  const { body } = await guest.post('/api/login', { username: 'x'.repeat(201), password: PASSWORD })
  expect(body).toEqual({
    status: 400,
    code: 'invalid_request',
    title: 'The request is not valid: username is too long, at most 200 characters are taken',
  })
})

test.each([['/%zz'], ['/%'], ['/api/%c0%ae']])(
  'an address like %s is refused like any bad request',
  async path => {
    const { body, headers } = await guest.send(path)
    expect(body).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  },
)

test('a query makes no difference', async () => {
  const { body } = await guest.get<{ taps: number }>('/api/prize-pool?taps=1000&__proto__[x]=1')
  expect(body).toEqual((await guest.get('/api/prize-pool')).body)
})

test('after all that the log knows no password, no cookie, no token and no name', () => {
  const secrets = [PASSWORD, NAME, start, ...guest.cookies.values(), ...member.cookies.values()]
  expect(secrets.every(secret => secret.length > 10)).toBe(true)
  for (const secret of secrets) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/"level":[56]0/)
  expect(url).not.toBe('')
})

// Plays a small game with the server of a release, and keeps what comes of it in `tests/support/releases/`, as a backup
// that the release itself makes: `node --import ./scripts/typescript.mjs tests/support/make-release.ts <checkout>`.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Claimed } from '../../contract/api.ts'
import { Client } from './client.ts'
import { TEST_SECRET } from './game.ts'
import { ServerNode } from './node.ts'
import { type Cast, folderOf, HIDDEN, type Person } from './releases.ts'

const PASSWORD = 'a long enough password'
/** More than a script plays before it is found. */
const MANY = 100

const [checkout = '.'] = process.argv.slice(2)
const releases = await readFile(join(checkout, 'acts/releases.txt'), 'utf8')
const release = Number.parseInt(releases.trim().split('\n').at(-1) ?? '', 10)
const folder = folderOf(release)
if (existsSync(folder.backup)) throw new Error(`${folder.backup} is there already`)
await mkdir(dirname(folder.backup), { recursive: true })

const dataDir = await mkdtemp(join(tmpdir(), 'taps-release-'))
const settings = { DATA_DIR: dataDir, SECRET: TEST_SECRET }
try {
  const node = await ServerNode.start(settings, [resolve(checkout, 'scripts/start.mjs'), 'main'])
  const cast = await playAll(node.url)
  await command('players', 'hide', HIDDEN)
  await node.end('SIGTERM')
  await command('backup', resolve(folder.backup))
  await writeFile(folder.cast, `${JSON.stringify(cast, null, 2)}\n`)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

/** A command of the release. */
async function command(...words: string[]): Promise<void> {
  const { PATH, HOME } = process.env
  await promisify(execFile)('npm', ['run', '--silent', ...words], {
    cwd: checkout,
    env: { PATH, HOME, ...settings },
  })
}

/** Everything that leaves rows of its own: wins that are held, claimed, brought along and returned, a flag, names. */
async function playAll(url: string): Promise<Cast> {
  const guest = await guestWhoWins(url)
  const steady = await scriptThatIsFound(url)
  const hidden = new Client(url)
  await hidden.play((await hidden.session()).round, 900, HIDDEN)
  const owner = await ownerWhoClaims(url)
  const leaver = await ownerWhoClaims(url, 'Leaver')
  await leaver.browser.post('/api/users/delete', { password: PASSWORD })
  return { guest: toPerson(guest), steady: toPerson(steady), owner: await describe(owner) }
}

async function guestWhoWins(url: string): Promise<Client> {
  const guest = new Client(url)
  for (const difference of [450, -320, 12])
    await guest.play((await guest.session()).round, difference, 'Guest')
  return guest
}

async function scriptThatIsFound(url: string): Promise<Client> {
  const script = new Client(url)
  for (let played = 0; played < MANY; played += 1) {
    const { body } = await script.play((await script.session()).round, 5, 'Steady')
    if (body.attempt.won_taps === null) return script
  }
  throw new Error('The script was not found')
}

/** Wins as a guest, makes an account, claims, and wins again. */
async function ownerWhoClaims(url: string, name = 'Owner') {
  const browser = new Client(url)
  await browser.play((await browser.session()).round, 40, 'Before')
  await browser.createAccount(name, PASSWORD)
  await browser.post<Claimed>('/api/claim')
  for (const difference of [600, -70]) await browser.play((await browser.session()).round, difference)
  return { browser, name }
}

async function describe({ browser, name }: Awaited<ReturnType<typeof ownerWhoClaims>>) {
  const { user, prize } = await browser.session()
  return {
    ...toPerson(browser),
    name,
    password: PASSWORD,
    balance: user?.taps_balance ?? 0,
    held: prize?.taps ?? 0,
  }
}

function toPerson({ cookies }: Client): Person {
  return { cookies: Object.fromEntries(cookies) }
}

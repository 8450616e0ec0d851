import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { until } from '../support/until.ts'
import { command } from './command.ts'
import { CHECKOUT, Debian } from './debian.ts'

/** The path of npm. npm sets this variable for its scripts. */
const { npm_execpath = '' } = process.env

const URL_OF_GAME = 'http://localhost:3000'
const PASSWORD = 'a long enough password'
/** The release to which the test upgrades, after any real release. */
const NEXT = '999.0.0'

/** Replaces downloads with local copies, and the host name with a name that Caddy certifies itself. */
const REPLACEMENTS: readonly [RegExp, string][] = [
  [
    /^git clone .*$/m,
    `git clone -q --bare /srv/checkout /srv/origin.git && git clone -q /srv/origin.git /srv/taps && cp -r /srv/checkout/node_modules /srv/taps/`,
  ],
  [/^NAME=.*$/m, 'NAME=taps.localhost'],
]

/**
 * The highest exposure allowed on systemd's scale from 0 to 10. Leaves room for network access and user
 * namespaces.
 */
const MOST_EXPOSED = 1.5

let debian: Debian
let page = ''

/** Returns the shell lines of a section of docs/operating.md. */
function lines(section: string): string {
  const text = page.split(/^## /m).find(part => part.startsWith(`${section}\n`)) ?? ''
  const blocks = Array.from(text.matchAll(/^```(\w*)\n(.*?)^```$/gms))
  // Blocks with a language are for other machines.
  const found = blocks.map(([, language, block]) => (language === '' ? block : '')).join('')
  if (found === '') throw new Error(`docs/operating.md has no lines to copy in ${section}`)
  return REPLACEMENTS.reduce((all, [line, local]) => all.replace(line, () => local), found)
}

/** Runs the lines of these sections in one shell. */
const follow = (...sections: string[]) => debian.run(sections.map(lines).join(''))

/** Waits until the game is ready, and returns its version. */
async function version(): Promise<string> {
  await until(
    'the game to be ready',
    async () => (await fetch(`${URL_OF_GAME}/readyz`).catch(() => null))?.ok,
  )
  const health = (await (await fetch(`${URL_OF_GAME}/healthz`)).json()) as { version: string }
  return health.version
}

// Needs root, and the ports 80, 443 and 3000 must be free.
beforeAll(async () => {
  page = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const npm = `--bind-ro=${join(npm_execpath, '../..')}:/usr/lib/node_modules/npm`
  // In a worktree, `.git` only names the folder with the commits.
  const parameters = ['rev-parse', '--path-format=absolute', '--git-common-dir']
  const commits = await command('git', '-C', CHECKOUT, ...parameters)
  const folder = await mkdtemp(join(tmpdir(), 'taps-debian-'))
  const checkout = [`--bind-ro=${CHECKOUT}:/srv/checkout`, `--bind-ro=${commits.trim()}`]
  debian = await Debian.make(folder, [npm, ...checkout])
  await debian.boot()
  // Avoids conflicts with the host's PostgreSQL: uses the default port number, on the socket only.
  await debian.run(`ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm
    git config --system safe.directory '*'
    pg_conftool 15 main set listen_addresses ''
    pg_conftool 15 main set port 5432
    systemctl restart postgresql`)
})

afterAll(() => debian?.remove())

test('the commands in docs/operating.md install, back up, upgrade and restore a game', async () => {
  const output = await follow('Database', 'Clone and build', 'Settings', 'Service', 'Proxy')
  expect(output).toMatch(/: 0 of \d+ checks failed/)
  const proxied =
    'curl -sk --retry 20 --retry-all-errors --resolve taps.localhost:443:127.0.0.1 https://taps.localhost/readyz'
  expect(await debian.run(proxied)).toBe('{"status":"ok"}')
  await debian.run(
    `runuser -u postgres -- psql -q taps -c 'alter table users alter column id restart with 17'`,
  )
  expect(await debian.run('systemd-analyze verify /etc/systemd/system/taps* 2>&1')).toBe('')
  const exposure = /Overall exposure level for \S+ (\d+\.\d+)/.exec(
    await debian.run('systemd-analyze security taps'),
  )?.[1]
  expect(Number(exposure)).toBeLessThanOrEqual(MOST_EXPOSED)
  const ada = new Client(URL_OF_GAME)
  await ada.createAccount('Ada', PASSWORD)
  const started = await ada.start()
  await sleep(started.target_time * 1_000)
  expect((await ada.stop(started, 0, 'Ada')).status).toBe(201)
  expect((await ada.post('/api/claim')).body).toMatchObject({ taps: 1 })

  expect(await follow('Backups')).toContain('can be restored.')
  await debian.run('systemctl start taps-backup')
  await debian.run('systemctl start taps-ledger')
  expect(await debian.run('ls /var/backups/taps')).toMatch(/^20\d\d-/m)

  const next = `cd /tmp && git clone -q /srv/origin.git next && cd next && sed -i '0,/"version": "[^"]*"/s//"version": "${NEXT}"/' package.json && git -c user.name=n -c user.email=e commit -qam next && git push -q origin HEAD`
  await debian.run(next)
  await follow('Upgrade')
  expect(await version()).toMatch(`${NEXT}+`)

  await debian.run(`runuser -u taps -- psql -q -c 'delete from holds' taps`)
  expect(await debian.run('./taps ledger || true')).toContain('but has claimed 0 TAPS')
  await follow('Restore')
  await version()
  expect(await debian.run('./taps ledger')).toContain('The ledger is balanced.')
  const restored = await new Client(URL_OF_GAME).login('Ada', PASSWORD)
  expect(restored.body.user.taps_balance).toBe(1)

  await debian.turnOff('shut down')
  await debian.boot()
  expect(await version()).toMatch(`${NEXT}+`)
  expect(await debian.run('systemctl list-timers taps-backup --no-legend')).toContain('taps-backup.service')

  // Makes the guest whom the page deletes by ID.
  await new Client(URL_OF_GAME).play(900, 'Swift Otter 427')
  const [guest] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(page) ?? []
  const rename = `update attempts set player = '${guest}' where username = 'Swift Otter 427'`
  await debian.run(`runuser -u taps -- psql -q -c "${rename}" taps`)
  await follow('Players')
  expect((await new Client(URL_OF_GAME).login('Ada', PASSWORD)).status).toBe(404)
})

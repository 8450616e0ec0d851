import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { Sandbox } from './sandbox.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const URL_OF_GAME = 'http://localhost:3000'
const PASSWORD = 'a long enough password'

/** What the page fetches from elsewhere, and what stands here for it: a copy of this checkout, and of its packages. */
const FETCHED: readonly [RegExp, string][] = [
  [
    /^git clone .*$/m,
    `git clone -q --bare ${ROOT} /srv/origin.git && git clone -q /srv/origin.git /srv/taps && cp -r ${ROOT}node_modules /srv/taps/`,
  ],
  [/^git pull$/m, 'git pull -q'],
]

let sandbox: Sandbox
let sections: ReadonlyMap<string, string>

/** The lines of a section of docs/operating.md, as they stand there. */
function lines(section: string): string {
  const found = sections.get(section)
  if (!found) throw new Error(`docs/operating.md has no ${section} to copy`)
  return FETCHED.reduce((text, [line, here]) => text.replace(line, () => here), found)
}

const follow = (section: string) => sandbox.run(`set -e\n${lines(section)}\nset +e`)

async function version(): Promise<string> {
  const health = (await (await fetch(`${URL_OF_GAME}/healthz`)).json()) as { version: string }
  return health.version
}

/** As root, on folders of its own, with port 3000 free; systemd's part is taken by a script that reads the units. */
beforeAll(async () => {
  const page = await readFile(`${ROOT}docs/operating.md`, 'utf8')
  const parts = page.split(/^## /m).map(part => {
    const blocks = Array.from(part.matchAll(/^```\n(.*?)^```$/gms), ([, block = '']) => block)
    return [part.split('\n')[0] ?? '', blocks.join('')] as const
  })
  sections = new Map(parts)
  sandbox = await Sandbox.open()
  // A PostgreSQL as Debian installs it, but on its socket alone: the machine may have one at that port.
  await sandbox.run(`git config --system safe.directory '*'
    cluster=$(pg_lsclusters --no-header | head -1 | cut -d' ' -f1,2)
    pg_conftool $cluster set listen_addresses ''
    pg_ctlcluster $cluster start`)
})

afterAll(() => sandbox?.close())

test('the lines of docs/operating.md, copied one after the other, lead to a game that is backed up, upgraded and restored', async () => {
  for (const section of ['Database', 'Clone and build', 'Settings', 'Service', 'Proxy']) await follow(section)
  expect(await sandbox.run('./taps doctor')).toMatch(/: 0 of \d+ checks failed/)
  await sandbox.run(
    `runuser -u postgres -- psql -q taps -c 'alter table users alter column id restart with 17'`,
  )
  const ada = new Client(URL_OF_GAME)
  const { round } = (await ada.createAccount('Ada', PASSWORD)).body
  const started = await ada.post<{ start: string; target_time: number }>('/api/rounds', {
    round: round.token,
  })
  await new Promise(resolve => setTimeout(resolve, started.body.target_time * 1_000))
  const { start, target_time } = started.body
  expect((await ada.post('/api/attempts', { username: 'Ada', start, actual_time: target_time })).status).toBe(
    201,
  )
  expect((await ada.post('/api/claim')).body).toMatchObject({ taps: 1 })

  const role = /`(runuser .* createdb')`/.exec(await readFile(`${ROOT}docs/operating.md`, 'utf8'))?.[1]
  await sandbox.run(`${role}`)
  expect(await follow('Backups')).toContain('is whole and can be restored')
  await sandbox.run('systemctl start taps-backup')
  expect(await sandbox.run('ls /var/backups/taps')).toMatch(/^20\d\d-/m)

  const next = `cd /tmp/sandbox && git clone -q /srv/origin.git next && cd next && sed -i '0,/"version": "[^"]*"/s//"version": "9.9.9"/' package.json && git -c user.name=n -c user.email=e commit -qam next && git push -q && cd /srv/taps`
  const before = await version()
  await sandbox.run(next)
  await follow('Upgrade')
  expect([before, await version()]).toEqual([before, '9.9.9'])

  await sandbox.run(`runuser -u taps -- psql -q -c 'delete from holds' taps`)
  expect(await sandbox.run('./taps ledger; true')).toContain('but has claimed 0 TAPS')
  await follow('Restore')
  expect(await sandbox.run('./taps ledger')).toContain('Both sides are equal.')
  expect(
    (await new Client(URL_OF_GAME).post('/api/login', { username: 'Ada', password: PASSWORD })).body,
  ).toMatchObject({
    user: { taps_balance: 1 },
  })

  await sandbox.run('systemctl stop taps; pg_ctlcluster $cluster restart; systemctl start taps')
  expect((await fetch(`${URL_OF_GAME}/readyz`)).status).toBe(200)

  await sandbox.run(
    `runuser -u taps -- psql -q -c 'insert into flags (player) select player from users' taps`,
  )
  await follow('Players')
  expect(
    (await new Client(URL_OF_GAME).post('/api/login', { username: 'Ada', password: PASSWORD })).status,
  ).toBe(404)
})

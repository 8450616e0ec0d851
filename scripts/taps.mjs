// `./taps start` runs the last build; any other argument names an operator's command. No command changes the
// checkout, because a server may be running from it.

import './system.cjs'

const setup = import('./setup.mjs')
const settings = import('./settings.mjs')

async function main() {
  const { goToBuild, orExplain } = await setup
  const { becomeOwner, loadSettings } = await settings
  await orExplain(prepare())
  const program = process.argv[2] === 'start' ? 'main' : 'commands'
  await import(new URL(`../dist/server/${program}.js`, import.meta.url).href)

  async function prepare() {
    goToBuild()
    becomeOwner(loadSettings())
  }
}

main()

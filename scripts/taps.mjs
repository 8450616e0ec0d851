// `./taps start` runs the game as it was built last, every other word is a command of the operator's. Neither changes the
// checkout: a server may be running from it.

import './system.mjs'

const setup = import('./setup.mjs')
const settings = import('./settings.mjs')

async function main() {
  const { goToBuild, orExplain, tellIfNewer } = await setup
  const { becomeOwner, loadSettings } = await settings
  // As npm does, so that a folder that an operator names is found from where that was.
  Object.assign(process.env, { INIT_CWD: process.cwd() })
  await orExplain(prepare())
  const isStart = process.argv[2] === 'start'
  if (isStart) tellIfNewer()
  await import(new URL(`../dist/server/${isStart ? 'main' : 'commands'}.js`, import.meta.url).href)

  async function prepare() {
    goToBuild()
    becomeOwner(loadSettings())
  }
}

main()

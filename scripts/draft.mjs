import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { requireWritable } from './project.mjs'

/** Drafts of this age were left by a set-up that was killed: a slow line takes minutes to install. */
const STALE_MS = 60 * 60_000

const CACHE = '.cache'
const PREFIX = 'draft-'

/**
 * Makes a folder of the project in a draft and moves it into its place when it is complete, so that a set-up that is
 * killed leaves nothing half done there. Of several set-ups at once each has a draft of its own, and the first that is
 * complete counts.
 *
 * @param {string} name of the folder
 * @param {() => boolean} isThere whether the folder is in its place, complete and current
 * @param {(draft: string) => Promise<void>} make puts a folder of this name into the draft
 * @throws {import('./project.mjs').SetupError}
 */
export async function makeFolder(name, isThere, make) {
  if (isThere()) return
  requireWritable('.')
  requireWritable(name)
  mkdirSync(CACHE, { recursive: true })
  requireWritable(CACHE)
  removeStale()
  const draft = mkdtempSync(resolve(CACHE, PREFIX))
  const remove = () => rmSync(draft, { recursive: true, force: true })
  process.once('exit', remove)
  await make(draft)
  try {
    if (!isThere()) replace(name, `${draft}/${name}`, `${draft}/replaced`)
  } catch (error) {
    // Another set-up was faster by a moment.
    if (!isThere()) throw error
  }
  remove()
}

/**
 * @param {string} place
 * @param {string} next what comes there
 * @param {string} last where what is there goes
 */
function replace(place, next, last) {
  if (existsSync(place)) renameSync(place, last)
  renameSync(next, place)
}

function removeStale() {
  const drafts = readdirSync(CACHE).filter(name => name.startsWith(PREFIX))
  for (const path of drafts.map(name => `${CACHE}/${name}`)) {
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true })
  }
}

import { readJson, type Storage, writeJson } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'

/** A guest as stored in the browser. */
export interface Guest {
  readonly username: string
  readonly taps_balance: 0
  readonly isGuest: true
}

export const GUEST_KEY = 'game-user'

const MAX_NUMBER = 999

const ADJECTIVES = [
  ...['Bold', 'Brave', 'Bright', 'Brisk', 'Calm', 'Clever', 'Cosmic', 'Daring', 'Eager', 'Fleet', 'Gentle'],
  ...['Golden', 'Happy', 'Keen', 'Kind', 'Lively', 'Lucky', 'Mellow', 'Merry', 'Nimble', 'Patient', 'Quick'],
  ...['Quiet', 'Silver', 'Snappy', 'Steady', 'Sunny', 'Swift', 'Vivid', 'Witty'],
] as const
const NOUNS = [
  ...['Badger', 'Beacon', 'Comet', 'Cricket', 'Falcon', 'Fern', 'Finch', 'Fox', 'Harbor', 'Heron', 'Hopper'],
  ...['Ibis', 'Lantern', 'Lynx', 'Maple', 'Meteor', 'Newt', 'Otter', 'Owl', 'Panda', 'Pebble', 'Plover'],
  ...['Puffin', 'Raven', 'Robin', 'Sparrow', 'Tiger', 'Walnut', 'Willow', 'Wren'],
] as const

/** Makes a handle such as "Swift Heron 412". */
export function makeHandle(random: () => number = Math.random): string {
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)]
  return `${pick(ADJECTIVES)} ${pick(NOUNS)} ${1 + Math.floor(random() * MAX_NUMBER)}`
}

export type GuestProfile = ReturnType<typeof openGuestProfile>

/** Opens the stored guest, or makes a new guest. */
export function openGuestProfile(storage: Storage) {
  const isFirstVisit = readJson(storage, GUEST_KEY) === null
  const guest = createStore(guestNamed(storedName(storage) ?? makeHandle()))
  function rename(username: string): void {
    guest.set(guestNamed(username))
    writeJson(storage, GUEST_KEY, guest.get())
  }
  rename(guest.get().username)
  return {
    guest,
    isFirstVisit,
    rename,
    /** Starts a new guest with a new handle. */
    renew: () => rename(makeHandle()),
    /** Reads the name that another tab has stored. */
    reread() {
      const username = storedName(storage)
      if (username !== null) guest.set(guestNamed(username))
    },
  }
}

function guestNamed(username: string): Guest {
  return { username, taps_balance: 0, isGuest: true }
}

/** Returns the stored name; null when missing or blank. */
function storedName(storage: Storage): string | null {
  const stored = readJson(storage, GUEST_KEY)
  if (typeof stored !== 'object' || stored === null || !('username' in stored)) return null
  const { username } = stored
  return typeof username === 'string' && username.trim() !== '' ? username : null
}

// No newer words than modules have always understood, so that an old Node can say that it is too old.

const OLDEST_MAJOR = 20
const OLDEST_MINOR = 19

/**
 * Ends the process with one line when this Node is too old.
 * @returns {void}
 */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR)) return
  const oldest = `${OLDEST_MAJOR}.${OLDEST_MINOR}`
  console.error(`TAPS needs Node ${oldest} or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

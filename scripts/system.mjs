// Ends the process with one line where TAPS cannot run. No newer words than modules have always understood, so that an
// old Node can say that it is too old.

/** From which on Vite works: 20.19, which is the oldest, and 22.12. */
const OLDEST_MINOR = { 20: 19, 22: 12 }

/** @param {string} version of Node */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 20 || major === 22) return minor >= OLDEST_MINOR[major]
  return major > 22
}

/** What is missing here, in one line; nothing where TAPS can run. */
function complaint() {
  if (process.platform === 'win32') {
    return 'TAPS does not run on Windows itself: use WSL (https://learn.microsoft.com/windows/wsl/install), and clone the project there.'
  }
  const { node } = process.versions
  if (isNewEnough(node)) return ''
  return `TAPS needs Node 20.19 or newer, of 22 at least 22.12; this is ${node}.`
}

const line = complaint()
if (line) {
  console.error(line)
  process.exit(1)
}

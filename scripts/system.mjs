// Ends the process with one line where TAPS cannot run. No newer words than modules have always understood, so that an
// old Node can say that it is too old.

const OLDEST_MAJOR = 20
const OLDEST_MINOR = 19

/** What is missing here, in one line; nothing where TAPS can run. */
function complaint() {
  if (process.platform === 'win32') {
    return 'TAPS does not run on Windows itself: use WSL (https://learn.microsoft.com/windows/wsl/install), and clone the project there.'
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR)) return ''
  const oldest = `${OLDEST_MAJOR}.${OLDEST_MINOR}`
  return `TAPS needs Node ${oldest} or newer; this is ${process.versions.node}.`
}

const line = complaint()
if (line) {
  console.error(line)
  process.exit(1)
}

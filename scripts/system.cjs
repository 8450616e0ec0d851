// Ends the process with one line that says why TAPS cannot run here. Uses only old syntax, so that an old
// Node can print the line, and CommonJS, because no module can be loaded from a path with a backslash.

/** The oldest versions that Vite supports: 20.19 and 22.12. */
const OLDEST_MINOR = { 20: 19, 22: 12 }

/** The characters that break URLs of modules (# ? \), or the shell commands of PostgreSQL's initdb ($ ` "). */
const UNUSABLE = /[#?\\$`"]/

/** @param {string} version - Node's version. */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 20 || major === 22) return minor >= OLDEST_MINOR[major]
  return major > 22
}

/** Returns the reason why TAPS cannot run here, in one line; empty when TAPS can run. */
function obstacle() {
  if (process.platform === 'win32') {
    return 'TAPS does not run on Windows itself: use WSL (https://learn.microsoft.com/windows/wsl/install), and clone the project there.'
  }
  const { node } = process.versions
  if (!isNewEnough(node)) return `TAPS needs Node 20 from 20.19, or Node 22.12 or newer; this is ${node}.`
  const [character] = UNUSABLE.exec(__dirname) || ['']
  return (
    character && `TAPS cannot run in a path that contains ${character} (${__dirname}): rename the folder.`
  )
}

const line = obstacle()
if (line) {
  console.error(line)
  process.exit(1)
}

// Loaded into a server before its program: sets its wall clock off by FAULTS_CLOCK_OFF_MS, and SIGUSR2 reverses
// it. The server reads the wall clock by `Date.now` alone.

const { now } = Date
let offMs = Number(process.env.FAULTS_CLOCK_OFF_MS)

Date.now = () => now() + offMs
process.on('SIGUSR2', () => {
  offMs = -offMs
})

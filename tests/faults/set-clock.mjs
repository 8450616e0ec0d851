// Shifts `Date.now`, the server's only wall clock, by FAULTS_CLOCK_OFF_MS. SIGUSR2 reverses the shift.

const { now } = Date
let offMs = Number(process.env.FAULTS_CLOCK_OFF_MS)

Date.now = () => now() + offMs
process.on('SIGUSR2', () => {
  offMs = -offMs
})

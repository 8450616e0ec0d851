// Loaded into a server before its program: its wall clock is off by FAULTS_CLOCK_OFF_MS, and by as much the other way from the
// first SIGUSR2 on. The server looks at the wall clock by `Date.now` alone.

const { now } = Date
let offMs = Number(process.env.FAULTS_CLOCK_OFF_MS)

Date.now = () => now() + offMs
process.on('SIGUSR2', () => {
  offMs = -offMs
})

/** How the rounds are measured, for the file of results. */
export const NOTES = [
  `**How.** A round is a Start and a Stop, over 512 kept connections by 1,024 players in a process of their own, which
shares the two cores with the server and the database. Each player has cookies of their own, plays what the server deals,
stops like a person (a tenth of the target off, so a quarter of the rounds win), loads the page now and then, and a few
make an account and claim. "A second" is a closed loop: the next round begins when the last is answered. The tails are of
an open loop: rounds begin on a schedule, and a call's time counts from the moment it was due, also while the server keeps
it waiting. \`RATE_LIMITS=off\` and a wide \`CLOCK_TOLERANCE_MS\`, so that nobody has to wait for real seconds; all else is
as \`npm start\` has it. One PostgreSQL (the embedded one, \`fsync\` and \`synchronous_commit\` on) serves all, a database
each. After every run every acknowledged attempt is looked for in the table and the ledger is checked; one that is missing
makes an end of the measurement.`,
  `**The limit** is \`node:http\` that answers the same bytes to the same crowd and does nothing else.`,
  `**One transaction each** is this server with batches of one.`,
]

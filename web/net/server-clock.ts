/** The server's time minus the page's time; by the device's clock until the game has answered. */
let offsetMs = Date.now() - performance.now()

/** Takes the time of an answer or a ping, because the device's clock may be wrong. */
export function noteServerTime(time: string | null): void {
  const ms = Date.parse(time ?? '')
  if (Number.isFinite(ms)) offsetMs = ms - performance.now()
}

/** Returns the server's time, in ms since the epoch. */
export function serverNow(): number {
  return offsetMs + performance.now()
}

/** The server's time minus the page's time; null before the first ping. */
let offsetMs: number | null = null

/** Takes the time of a ping alone: the device's clock may be wrong, and a `Date` header is a proxy's. */
export function noteServerTime(time: string): void {
  const ms = Date.parse(time)
  if (Number.isFinite(ms)) offsetMs = ms - performance.now()
}

/** Returns the age of an instant in ms; null before the first ping, and 0 for an instant to come. */
export function ageOf(instant: string): number | null {
  return offsetMs === null ? null : Math.max(0, offsetMs + performance.now() - Date.parse(instant))
}

/** Numbers requests and changes, so that only the answer to the latest one counts. */
export function createLatest() {
  let version = 0
  /** Outdates all earlier requests. Returns a function that tells whether the new one is still the latest. */
  return function supersede(): () => boolean {
    version += 1
    const own = version
    return () => own === version
  }
}

/** Runs a decoration, such as a sound or confetti. What browsers refuse or lack must never stop play. */
export function decorate(effect: () => unknown): void {
  new Promise(resolve => resolve(effect())).catch(() => undefined)
}

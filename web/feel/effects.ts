/** Decorations that the page loads once the game is playable, and can do without. */
export { crossFade } from './cross-fade.ts'
export { feedPool, payClaims } from './flights.ts'

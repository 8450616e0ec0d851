import { CONFETTI_PARTICLES } from '../contract/rules.ts'

/** The theme's own names for the colours of the celebration. */
const COLORS = ['--primary', '--secondary', '--accent', '--text', '--confetti']

/** A win is a moment. Loaded when first needed; those who asked for less motion get none. */
export async function celebrate(): Promise<void> {
  const { default: confetti } = await import('canvas-confetti')
  const theme = getComputedStyle(document.documentElement)
  // No worker: it would have to be made from a blob, which the page's policy does not allow.
  const canvas = document.createElement('canvas')
  canvas.className = 'confetti'
  canvas.ariaHidden = 'true'
  document.body.append(canvas)
  const fire = confetti.create(canvas, { resize: true, useWorker: false })
  await fire({
    particleCount: CONFETTI_PARTICLES,
    colors: COLORS.map(name => theme.getPropertyValue(name).trim()),
    spread: 100,
    startVelocity: 42,
    origin: { y: 0.55 },
    disableForReducedMotion: true,
  })
  canvas.remove()
}

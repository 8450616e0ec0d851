import { CONFETTI_PARTICLES } from '../contract/rules.ts'
import { prefersReducedMotion } from './motion.ts'

/** The theme's own names for the colours of the celebration. */
const COLORS = ['--primary', '--secondary', '--perfect', '--text', '--near']

/** Celebrates a win; loaded when first needed. With less motion asked for, the style sheet has a still celebration. */
export async function celebrate(): Promise<void> {
  if (prefersReducedMotion()) return
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
  })
  canvas.remove()
}

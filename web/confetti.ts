import { CONFETTI_PARTICLES } from '../contract/rules.ts'
import { prefersReducedMotion } from './motion.ts'

/** The colours of the celebration, as named by the theme. */
const COLORS = ['--primary', '--secondary', '--perfect', '--text', '--near']

/** Celebrates a win; loaded when first needed. With reduced motion the style sheet celebrates without movement. */
export async function celebrate(): Promise<void> {
  if (prefersReducedMotion()) return
  const { default: confetti } = await import('canvas-confetti')
  const theme = getComputedStyle(document.documentElement)
  // No worker: it would be made from a blob, which the content security policy forbids.
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

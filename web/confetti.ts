import { CONFETTI_PARTICLES } from '../contract/rules.ts'
import { prefersReducedMotion } from './motion.ts'

/** The colours of the celebration, as named by the theme. */
const COLORS = ['--primary', '--secondary', '--perfect', '--text', '--near']

/** How long a piece is drawn, in frames: 1.4 s. */
const LIFE_FRAMES = 84

/**
 * Celebrates a win from where the dot stands; loaded when first needed. With reduced motion only the frame turns gold.
 *
 * @param strength - How far the pieces fly, and how large they are.
 */
export async function celebrate(stage = document.querySelector('.stage'), strength = 1): Promise<void> {
  if (prefersReducedMotion()) return
  const { default: confetti } = await import('canvas-confetti')
  if (stage === null) return
  // No worker: it would be made from a blob, which the content security policy forbids.
  const canvas = document.createElement('canvas')
  canvas.className = 'confetti'
  canvas.ariaHidden = 'true'
  stage.append(canvas)
  const theme = getComputedStyle(document.documentElement)
  const fire = confetti.create(canvas, { resize: true, useWorker: false })
  await fire({
    particleCount: CONFETTI_PARTICLES,
    colors: COLORS.map(name => theme.getPropertyValue(name).trim()),
    angle: 90,
    spread: 234,
    startVelocity: 26 * strength,
    scalar: strength,
    gravity: 0.9,
    ticks: LIFE_FRAMES,
    origin: dotWithin(canvas),
  })
  canvas.remove()
}

/** Where the dot stands, as shares of the canvas. */
function dotWithin(canvas: HTMLCanvasElement): { x: number; y: number } {
  const dot = document.querySelector('.dot--still')?.getBoundingClientRect()
  const { left, top, width, height } = canvas.getBoundingClientRect()
  if (dot === undefined || width === 0) return { x: 0.5, y: 0.55 }
  return { x: (dot.left - left) / width, y: (dot.top - top) / height }
}

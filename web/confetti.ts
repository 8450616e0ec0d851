import { CONFETTI_PARTICLES } from '../contract/rules.ts'
import { prefersReducedMotion } from './motion.ts'

const COLORS = ['--primary', '--secondary', '--perfect', '--text', '--near']

/** 1.4 s at 60 frames per second. */
const LIFE_FRAMES = 84

/**
 * Fires confetti from the dot, unless the system asks for reduced motion.
 *
 * @param strength - Scales speed and size of the pieces.
 */
export async function celebrate(stage = document.querySelector('.stage'), strength = 1): Promise<void> {
  if (prefersReducedMotion()) return
  const { default: confetti } = await import('canvas-confetti')
  if (stage === null) return
  // Uses no worker, whose blob URL the content security policy would forbid.
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

/** Returns the position of the dot as fractions of the canvas. */
function dotWithin(canvas: HTMLCanvasElement): { x: number; y: number } {
  const dot = document.querySelector('.dot--still')?.getBoundingClientRect()
  const { left, top, width, height } = canvas.getBoundingClientRect()
  if (dot === undefined || width === 0) return { x: 0.5, y: 0.55 }
  return { x: (dot.left - left) / width, y: (dot.top - top) / height }
}

import { CONFETTI_PARTICLES } from '../../contract/rules.ts'
import { prefersReducedMotion } from './motion.ts'

const COLORS = ['--primary', '--secondary', '--perfect', '--text', '--near']

/** A piece's life: 1.4 s at 60 frames per second. */
const LIFE_FRAMES = 84

/**
 * Loads and fires confetti, unless the system asks for reduced motion.
 *
 * @param from - Selector of the element in `stage` from which the confetti starts.
 * @param strength - Factor for the speed and size of the pieces.
 */
export async function celebrate(
  stage = document.querySelector('.stage'),
  from = '.dot--still',
  strength = 1,
): Promise<void> {
  if (stage === null || prefersReducedMotion()) return
  const { default: confetti } = await import('canvas-confetti')
  const canvas = document.createElement('canvas')
  canvas.className = 'confetti'
  canvas.ariaHidden = 'true'
  stage.append(canvas)
  const theme = getComputedStyle(document.documentElement)
  // A worker would need a blob URL, which the content security policy forbids.
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
    origin: middleOf(stage.querySelector<HTMLElement>(from), canvas),
  })
  canvas.remove()
}

/** Returns an element's centre as fractions of the canvas. Ignores transforms, which may be in motion. */
function middleOf(element: HTMLElement | null, canvas: HTMLCanvasElement): { x: number; y: number } {
  const parent = element?.offsetParent?.getBoundingClientRect()
  const { left, top, width, height } = canvas.getBoundingClientRect()
  if (!element || parent === undefined || width === 0) return { x: 0.5, y: 0.55 }
  const x = parent.left + element.offsetLeft + element.offsetWidth / 2
  const y = parent.top + element.offsetTop + element.offsetHeight / 2
  return { x: (x - left) / width, y: (y - top) / height }
}

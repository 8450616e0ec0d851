/**
 * Finds sideways scrolling, a wrapped header, a feedback above the boxes, text outside its box, overlapping
 * or tiny text, and controls below 44 px. Ignores text that may end in an ellipsis.
 */
const MISFITS = `(() => {
  const BOXES = '.box, .pill, .figure, .field, .prize, .track, button, .tabs, .row, .say, .empty, .fields, .stage, .card'
  const found = []
  const isClipped = element =>
    element !== null && (getComputedStyle(element).clipPath === 'inset(50%)' || isClipped(element.parentElement))
  const wider = document.documentElement.scrollWidth - innerWidth
  if (wider > 0) found.push('scrolls sideways by ' + wider + ' px')
  // The page clips its sides, so a part that is too wide scrolls nothing.
  for (const part of document.querySelectorAll('.page > *, .pill--action, .board-tabs')) {
    if (part.getBoundingClientRect().right > innerWidth) found.push(part.className + ' leaves the window')
  }
  const [title, action] = ['h1', '.pill--action'].map(it => document.querySelector(it).getBoundingClientRect())
  if (action.top > title.bottom) found.push('the header wraps')
  const [boxes, feedback] = ['.boxes', '.feedback'].map(it => document.querySelector(it))
  if (feedback !== null && !isClipped(feedback) &&
    feedback.getBoundingClientRect().top < boxes.getBoundingClientRect().bottom) found.push('feedback above the boxes')
  const words = []
  const texts = document.createTreeWalker(document.querySelector('.page'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    const parent = text.parentElement
    const { visibility, textOverflow, fontSize } = getComputedStyle(parent)
    if (!text.data.trim() || visibility === 'hidden' || parent.closest('svg') || isClipped(parent)) continue
    if (parseFloat(fontSize) < 10.5) found.push(text.data + ' is below 10.5 px')
    const range = document.createRange()
    range.selectNodeContents(text)
    const box = parent.closest(BOXES)?.getBoundingClientRect()
    for (const rect of range.getClientRects()) {
      if (rect.width === 0 || textOverflow === 'ellipsis') continue
      // A tag that does not fit beside a name, and the age of a win, wrap out of view.
      const cut = parent.closest('.named, .last-win-what')?.getBoundingClientRect().bottom ?? Infinity
      if (rect.top + rect.height / 2 >= cut) continue
      words.push({ rect, text: text.data, element: parent })
      // Allows a line of text to stick out of a tight box slightly.
      const slack = rect.height / 4
      if (!box || (rect.left >= box.left - 1 && rect.right <= box.right + 1 &&
        rect.top >= box.top - slack && rect.bottom <= box.bottom + slack)) continue
      found.push(text.data + ' leaves its box')
    }
  }
  for (const element of document.querySelectorAll('.page :is(.icon, input, .primary, .tabs, .boxes, .rail)')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || isClipped(element)) continue
    const rect = element.getBoundingClientRect()
    const name = element.closest('[aria-label]')?.ariaLabel ?? element.className
    words.push({ rect, text: name, element })
    const box = element.parentElement.closest('.field, .pill, .stage, .card, .page').getBoundingClientRect()
    if (rect.left < box.left - 1 || rect.right > box.right + 1 || rect.top < box.top - 1 || rect.bottom > box.bottom + 1)
      found.push(name + ' leaves its box')
  }
  words.forEach((one, index) => {
    const over = words.slice(index + 1).find(({ rect, text, element }) =>
      text !== one.text && !element.contains(one.element) && !one.element.contains(element) &&
      Math.min(rect.right, one.rect.right) - Math.max(rect.left, one.rect.left) > 2 &&
      Math.min(rect.bottom, one.rect.bottom) - Math.max(rect.top, one.rect.top) > rect.height * 0.4)
    if (over) found.push(one.text + ' over ' + over.text)
  })
  for (const field of document.querySelectorAll('.page .field')) {
    const [label, input, hint] = Array.from(field.children, it => it.getBoundingClientRect())
    const isBelow = (it, above) => Math.abs(it.left - above.left) < 2 && it.top >= above.bottom - 1
    if (!isBelow(input, label) || (hint && !isBelow(hint, input))) found.push(field.innerText + ' is not in one column')
  }
  for (const control of document.querySelectorAll('button, input, a, [role=tab]')) {
    const { width, height } = (control.closest('.who') ?? control).getBoundingClientRect()
    if (width > 0 && (width < 43.9 || height < 43.9)) found.push(control.outerHTML + ' is below 44 px')
  }
  return found
})()`

/** A script that measures edges of elements, and how to name each edge. */
const placesOf = (parts: Readonly<Record<string, readonly string[]>>) => `(() => {
  const places = {}
  for (const [selector, edges] of Object.entries(${JSON.stringify(parts)})) {
    const box = document.querySelector(selector)?.getBoundingClientRect()
    for (const edge of box ? edges : []) places[selector + ' ' + edge] = box[edge]
  }
  // The main button of every mode has its own width and height, but the same middle.
  const main = (document.querySelector('.game .form-body > .primary') ?? document.querySelector('.game .primary')).getBoundingClientRect()
  return { ...places, 'the middle of the main button': (main.top + main.bottom) / 2 }
})()`

const ALL_EDGES = ['left', 'right', 'top', 'bottom']

/** The parts that keep their place in every state, whatever the numbers of digits. */
const STEADY = {
  ...{ '.title': ['left', 'top'], '.timing .label': ['left', 'top'], '.live-status': ['right', 'top'] },
  ...{ '.rail': ALL_EDGES, '.play': ALL_EDGES, '.ranks': ALL_EDGES, '.attempts': ALL_EDGES },
  ...{ '.board': ALL_EDGES, '.board + .board': ALL_EDGES },
}

/** The parts that keep their place in every state, as long as the numbers have as many digits. */
export const PLACES = placesOf({
  ...{ ...STEADY, '.bar .icon-button': ['left', 'top'], '.pool .label': ['left', 'top'] },
  ...{ '.who': ['left', 'top', 'bottom'], '.balance': ALL_EDGES, '.pill--action': ALL_EDGES },
})

/** The parts that the game shows in each phase: the target with its unit, and the boxes with the message or the rule. */
const SHOWN = {
  idle: ['.target .label', '.target-time', '.target .unit', '.rule'],
  running: ['.target .label', '.target-time', '.target .unit'],
  stopped: ['.target-time', '.target .unit', '.box dt', '.box dd', '.feedback .inked'],
}

/** Describes the parts of the game that are missing, clipped, outside the window or smaller than 10.5 px. */
const UNSEEN = `Object.entries(${JSON.stringify(SHOWN)}).flatMap(([phase, parts]) => {
  if (document.querySelector('.result')?.dataset.phase !== phase || !document.querySelector('.play')) return []
  return parts.flatMap(part => {
    const all = Array.from(document.querySelectorAll(part))
    const isSeen = element => {
      const { left, top, right, bottom, width } = element.getBoundingClientRect()
      const isInside = left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5
      const { fontSize, clipPath, visibility } = getComputedStyle(element)
      const isOpen = clipPath !== 'inset(50%)' && visibility === 'visible' && !element.closest('.visually-hidden')
      return isInside && width > 2 && isOpen && parseFloat(fontSize) >= 10.5
    }
    // The rule gives way to a message, and to the balance after a claim.
    if (part === '.rule' && document.querySelector('.second, .amount--balance')) return []
    return all.length > 0 && all.every(isSeen) ? [] : [part + ' is not in view']
  })
})`

/** One text of each kind that must grow with the browser's text size. The largest figures need not grow. */
const TEXTS = [
  ...['.title', '.who-name', '.balance', '.pill--action', '.chip', '.pool .label', '.figure', '.last-win'],
  ...[
    '.board .label',
    '.live-status',
    '.place',
    '.rank .name',
    '.rank .taps',
    '.attempt .name',
    '.difference',
    '.times',
  ],
  ...[
    '.target .label',
    '[data-running=false] .unit',
    '[data-running=false] .target-time',
    '.box dt',
    '.box dd',
    '.rail-label',
  ],
  ...['.explanation', '.rule', '.feedback', '.second', '.button-label', '.timing .label', '.timing-summary'],
  ...[
    '.form-title',
    '.field label',
    '.field input',
    '.hint',
    '.error',
    '.tabs button',
    '.board-tabs button',
    '.link',
    '.other-way',
  ],
  ...['.claim-title', '.claim-round', '.claim-held', '.account-name', '.account-row'],
]

/** The font size of each kind of text on the screen, in px. */
const TEXT_SIZES = `Object.fromEntries(${JSON.stringify(TEXTS)}.flatMap(kind => {
  const text = document.querySelector(kind)
  return text?.checkVisibility() && getComputedStyle(text).clipPath === 'none' ? [[kind, parseFloat(getComputedStyle(text).fontSize)]] : []
}))`

/** The misfits, the places, and the lower edges of the main button, the feedback and the page, in px. */
export const LOOK = `(() => {
  scrollTo(0, 0)
  const endOf = selector => document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0
  const atTop = {
    unseen: ${UNSEEN},
    places: ${placesOf(STEADY)},
    isGame: document.querySelector('.play') !== null,
    button: endOf('.game :is(.play, .claim-first)'),
    fields: endOf('.login .field:last-of-type input'),
    result: endOf('.feedback'),
    apart: endOf('.boards') - endOf('.game'),
    page: document.documentElement.scrollHeight,
  }
  // In a card that is taller than the window, the button covers text until the player scrolls.
  const card = document.querySelector('.game')
  if (card.getBoundingClientRect().bottom > innerHeight) card.scrollIntoView({ block: 'end' })
  return { ...atTop, found: ${MISFITS}, resultAfterScroll: endOf('.feedback'), sizes: ${TEXT_SIZES} }
})()`

export type Places = Readonly<Record<string, number>>

export interface Look {
  readonly found: string[]
  /** The parts of the game that a player cannot see. */
  readonly unseen: string[]
  readonly places: Places
  readonly isGame: boolean
  /** The lower edge of Start or Stop, or of the button with the focus in claim mode. */
  readonly button: number
  /** The lower edge of the last field in login mode. */
  readonly fields: number
  readonly result: number
  readonly resultAfterScroll: number
  /** The font size of each kind of text, in px. */
  readonly sizes: Readonly<Record<string, number>>
  /** How far the boards end below the card. */
  readonly apart: number
  readonly page: number
}

/** Returns the parts of `now` that are not where they were `before`, allowing for rounding. */
export function moved(before: Places, now: Places): string[] {
  return Object.entries(now)
    .filter(([part, at]) => Math.abs(at - (before[part] ?? at)) > 1)
    .map(([part, at]) => `moves ${part}: ${before[part]} → ${at}`)
}

/** The parts that a player sees during a round even in a very small window. */
const LEAST = ['.target-time', '.dot', '.play', '.pool-taps', '.pill--action']
/** The parts that a player sees during a round with larger text. */
const LEAST_LARGE = ['.target-time', '.play']

/** A script that finds what a player needs during a round and cannot see, or what covers the target. */
const hiddenOf = (parts: readonly string[]) => `(() => {
  const boxOf = selector => document.querySelector(selector).getBoundingClientRect()
  const found = ${JSON.stringify(parts)}.filter(it => {
    const { right, bottom } = boxOf(it)
    return right > innerWidth || bottom > innerHeight + 0.5
  })
  const [target, stop] = [boxOf('.target-time'), boxOf('.play')]
  if (target.right > stop.left && target.bottom > stop.top + 2) found.push('Stop covers the target')
  const [label, stage] = [boxOf('.target .label'), boxOf('.stage')]
  if (label.right > target.left && label.bottom > target.top + 2) found.push('the label covers the target')
  if (boxOf('.target .unit').right > stage.right) found.push('the unit leaves the stage')
  return found
})()`

export const HIDDEN = hiddenOf(LEAST)

/** What hides the target or Stop during a round, and the size of the target, in px. */
export const RUNNING = `(scrollTo(0, 0), {
  hidden: ${hiddenOf(LEAST_LARGE)},
  size: parseFloat(getComputedStyle(document.querySelector('.target-time')).fontSize),
})`

export interface RunningLook {
  readonly hidden: string[]
  readonly size: number
}

/** A browser as a program of this machine drives it: what both protocols can do, WebDriver BiDi and WebDriver. */

/** A thing on a page, as the browser itself refers to it: an origin of a pointer. */
export type Thing = Readonly<Record<string, string>>

/** One step of a device, in the words of the WebDriver specification, which both protocols share. */
export type Step =
  | { readonly type: 'pause'; readonly duration: number }
  | { readonly type: 'keyDown' | 'keyUp'; readonly value: string }
  | { readonly type: 'pointerMove'; readonly x: 0; readonly y: 0; readonly origin: unknown }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: 0 }

/** A tab of a browser. */
export interface Tab {
  /** Brings it to the front, where it is not hidden. */
  show(): Promise<void>
  /** Resolves once the page is loaded. */
  go(url: string): Promise<void>
  /**
   * The value of an expression of the page's, which may be a promise, by way of JSON.
   *
   * @throws Error when the page throws
   */
  evaluate(expression: string): Promise<unknown>
  /** What has this role and this name by the accessibility tree of the browser. */
  find(role: Role, name: string): Promise<Thing | undefined>
  /** Moves the mouse to the middle of a thing, presses it and lets go. */
  click(thing: Thing): Promise<void>
  /** Keys, one step after the other, wherever the focus is. */
  type(steps: readonly Step[]): Promise<void>
  /** What is seen, as a PNG. */
  picture(): Promise<Buffer>
}

/** What the tests look for by role; the selector is what can have it on our page. */
export const ROLES = {
  button: 'button',
  heading: 'h1, h2',
  /** A field for secrets, which has no role of its own in ARIA. */
  password: 'input[type=password]',
  region: 'section',
  tab: '[role=tab]',
  textbox: 'input',
} as const

export type Role = keyof typeof ROLES

/** A browser without cookies. */
export interface Window {
  openTab(): Promise<Tab>
  close(): Promise<void>
}

/** A browser that is installed and runs. */
export interface Program {
  openWindow(): Promise<Window>
  close(): Promise<void>
}

export interface Wishes {
  /** What the person has told their system. */
  readonly reducedMotion: boolean
}

/** The middle of a thing, pressed by the mouse: the `origin` is what the protocol takes for one. */
export function clickOn(origin: unknown) {
  const actions: readonly Step[] = [
    { type: 'pointerMove', x: 0, y: 0, origin },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
  return [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]
}

/** Steps of the keyboard. */
export function keys(actions: readonly Step[]) {
  return [{ type: 'key', id: 'keyboard', actions }]
}

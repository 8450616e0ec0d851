import { expect, LONG, longUnless, test } from './test.ts'

const HANDLE = /^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d{0,2}$/

test('a guest gets a handle, which is kept under game-user and survives a reload', async ({ player }) => {
  const { page, username } = player
  await expect(username).toHaveValue(HANDLE)
  const handle = await username.inputValue()
  const { origins } = await page.context().storageState()
  const stored = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'game-user')
  expect(JSON.parse(stored?.value ?? '')).toEqual({ username: handle, taps_balance: 0, isGuest: true })

  await page.reload()
  await expect(username).toHaveValue(handle)
  await player.expectBalance(0)
})

test('a guest may change their name; it is trimmed where it is recorded and kept over a reload', async ({
  player,
}) => {
  const { page, username } = player
  await username.fill('  Grace Hopper  ')
  await player.play(321)
  const newest = player.attempts.first()
  await expect(newest.getByText('Grace Hopper', { exact: true })).toBeVisible()
  expect(await newest.getByText('Grace Hopper').textContent()).toBe('Grace Hopper')
  await expect(newest.getByRole('img', { name: 'account' }), 'a guest’s row is plain').toHaveCount(0)
  await page.reload()
  await expect(username).toHaveValue(/Grace Hopper/)
})

test('the name that counts is the one at Start', LONG, async ({ player }) => {
  await player.username.fill('Before')
  await player.start()
  await player.username.fill('After')
  await player.stop(321)
  await expect(player.attempts.first()).toContainText('Before')
})

test('a name that nobody may use is refused at Start, in its field, and the round waits for another name', async ({
  player,
  complaints,
}) => {
  complaints.expect(/400 \(Bad Request\)/)
  let answer = (): void => undefined
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  await player.page.route('**/api/rounds', async route => {
    await held
    await route.continue()
  })
  await player.username.fill('Fück')
  const target = await player.start()
  answer()
  await expect(player.page.getByText('This name cannot be used here; please choose another')).toBeVisible()
  await expect(player.startButton, 'the run has ended at once').toBeEnabled()
  await expect(player.username).toBeFocused()
  await expect(player.region('Result').getByRole('definition')).toHaveText(['–', '–', '–'])
  await player.username.fill('Polite')
  expect(await player.play(321)).toBe(target)
  await expect(player.attempts.first()).toContainText('Polite')
})

test('a blank name is no name: the next load brings a new handle', LONG, async ({ player }) => {
  await player.username.fill('   ')
  await player.page.reload()
  await expect(player.username).toHaveValue(HANDLE)
})

test('a name with invisible characters is refused in one plain line, and its field gets the focus', async ({
  player,
  complaints,
}) => {
  // The page may not have the whole rule yet; then the server refuses it.
  complaints.expect(/400 \(Bad Request\)/)
  await player.page.setViewportSize({ width: 320, height: 568 })
  await player.username.fill('in\u200bvisible')
  await player.startButton.click()
  const reason = player.page.getByText('A name cannot contain invisible or control characters')
  await expect(reason).toBeInViewport({ ratio: 1 })
  await expect(player.startButton).toBeVisible()
  await expect(player.username).toBeFocused()
  await expect(player.username).toHaveAttribute('aria-invalid', 'true')
  await expect(player.username).toHaveAccessibleDescription(/^A name cannot contain invisible/)
  await player.username.fill('visible')
  await expect(reason).toBeHidden()
})

for (const name of ['<img src=x onerror=alert(1)>', "'; drop table users; --"]) {
  const length = longUnless(name.startsWith('<'))
  test(`${name} is no name, and is refused in one plain line`, length, async ({ player, complaints }) => {
    complaints.expect(/400 \(Bad Request\)/)
    await player.username.fill(name)
    await player.startButton.click()
    await expect(player.page.getByRole('banner')).toContainText(/A name cannot contain [<;], only letters/)
    await expect(player.username).toBeFocused()
  })
}

test('a name is stopped at 32 characters while it is typed, with the reason beside it, but never while it is composed', async ({
  player,
}) => {
  const { page, username } = player
  await username.fill('A name as long as a name may be!')
  await expect(username).toHaveAccessibleDescription('')
  await username.press('End')
  await page.keyboard.type('!')
  await expect(username).toHaveValue('A name as long as a name may be!')
  await expect(username).toHaveAccessibleDescription('A name has at most 32 characters')
  await expect(username).toHaveAttribute('aria-invalid', 'true')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 })
  await expect(username).toHaveValue('A name as long as a name may be!ni')
  await cdp.send('Input.insertText', { text: '你' })
  await expect(username).toHaveValue('A name as long as a name may be!')
  await username.fill('👩‍🚀'.repeat(33))
  await expect(username).toHaveValue('👩‍🚀'.repeat(32))
})

const NAMES = [
  { kind: 'long, unbroken', name: 'W'.repeat(32) },
  { kind: 'right-to-left', name: 'שלום עולם וכל מי שבא' },
  { kind: 'emoji', name: '👩‍🚀🏆👨‍👩‍👧‍👦🇨🇭1️⃣'.repeat(6) },
  { kind: 'Chinese', name: '計時大師'.repeat(8) },
]

for (const { kind, name } of NAMES) {
  const length = longUnless(kind === 'emoji')
  test(`a name that is ${kind} is shown as it is and breaks nothing`, length, async ({ visit }) => {
    const player = await visit({ viewport: { width: 320, height: 640 } })
    await player.open()
    await player.username.fill(name)
    await player.play(500)
    const newest = player.attempts.first()
    await expect(newest).toContainText(name)
    const box = await player.region('Recent attempts').boundingBox()
    const row = await newest.boundingBox()
    expect(row?.height, 'a row stays one row').toBeLessThan(60)
    expect((row?.x ?? 0) + (row?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0))
    expect(await player.page.evaluate('document.documentElement.scrollWidth')).toBe(320)

    await player.win()
    await player.username.fill(name)
    expect(await player.page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })
}

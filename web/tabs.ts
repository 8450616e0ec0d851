const CHANNEL = 'taps'

export type Tabs = ReturnType<typeof joinTabs>

/**
 * Keeps the tabs of one browser in agreement: each tells the others when player, round or prize have changed. Firefox forbids
 * it where it forbids cookies; the tab is then alone.
 */
export function joinTabs() {
  const channel = openChannel()
  return {
    announce: () => channel?.postMessage('changed'),
    onChange: (listener: () => void) => channel?.addEventListener('message', listener),
  }
}

function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL)
  } catch {
    return null
  }
}

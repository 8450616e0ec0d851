const CHANNEL = 'taps'

export type Tabs = ReturnType<typeof joinTabs>

/**
 * Announces changes of player, round or prize to other tabs. Does nothing in Firefox with cookies blocked.
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

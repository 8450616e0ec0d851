export type Tabs = ReturnType<typeof joinTabs>

/** Tells other tabs that the player, round or prize has changed. Does nothing in Firefox without cookies. */
export function joinTabs() {
  const channel = openChannel()
  return {
    announce: () => channel?.postMessage('changed'),
    onChange: (listener: () => void) => channel?.addEventListener('message', listener),
  }
}

function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel('taps')
  } catch {
    return null
  }
}

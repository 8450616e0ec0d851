const CHANNEL = 'taps'

export type Tabs = ReturnType<typeof joinTabs>

/** Keeps the tabs of one browser in agreement: each tells the others when player, round or prize have changed. */
export function joinTabs() {
  const channel = new BroadcastChannel(CHANNEL)
  return {
    announce: () => channel.postMessage('changed'),
    onChange: (listener: () => void) => channel.addEventListener('message', listener),
  }
}

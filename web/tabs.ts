/** Lets the tabs of one browser agree: each tells the others when player, round or prize have changed. */
export interface Tabs {
  announce(): void
  onChange(listener: () => void): void
}

const CHANNEL = 'taps'

export function joinTabs(): Tabs {
  const channel = new BroadcastChannel(CHANNEL)
  return {
    announce: () => channel.postMessage('changed'),
    onChange: listener => channel.addEventListener('message', listener),
  }
}

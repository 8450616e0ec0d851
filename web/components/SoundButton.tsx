import { canVibrate, type SoundSettings } from '../sound-settings.ts'
import { IconButton } from './IconButton.tsx'
import { useStore } from './useStore.ts'

const SPEAKER = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z'
const WAVES = 'M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11'
const CROSS = 'M16 9.5l5 5m0-5-5 5'

/** Turns sound, and vibration on a phone, on and off. */
export function SoundButton({ settings }: { settings: SoundSettings }) {
  const on = useStore(settings.on)
  return (
    <IconButton
      name={canVibrate() ? 'Sound and vibration' : 'Sound'}
      path={SPEAKER + (on ? WAVES : CROSS)}
      pressed={on}
      onPress={settings.toggle}
    />
  )
}

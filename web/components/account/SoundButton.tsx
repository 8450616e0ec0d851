import type { CueSwitch } from '../../feel/cues.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { useStore } from '../hooks/useStore.ts'

const SPEAKER = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z'
const ON = 'M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11'
const OFF = 'M16 9.5l5 5m0-5-5 5'

/** Shows the switch for sound and, where supported, vibration. */
export function SoundButton({ cues }: { cues: CueSwitch }) {
  const isOn = useStore(cues.on) === true
  return <IconButton name="Sound" path={SPEAKER + (isOn ? ON : OFF)} pressed={isOn} onPress={cues.toggle} />
}

import { canVibrate, type Switch, type Switches } from '../../feel/cues.ts'
import { useStore } from '../hooks/useStore.ts'
import { IconButton } from './IconButton.tsx'

const SPEAKER = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z'
const SPEAKER_ON = 'M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11'
const SPEAKER_OFF = 'M16 9.5l5 5m0-5-5 5'

const PHONE = 'M8.5 4h7v16h-7z'
const PHONE_ON = 'M5.5 9v6M2.5 10.5v3M18.5 9v6M21.5 10.5v3'
const PHONE_OFF = 'M4 4l16 16'

/** Shows the switches for sound and, where supported, vibration. */
export function SoundButton({ switches }: { switches: Switches }) {
  const { sound, vibration } = switches
  return (
    <>
      <SwitchButton name="Sound" of={sound} path={SPEAKER} whenOn={SPEAKER_ON} whenOff={SPEAKER_OFF} />
      {canVibrate() && (
        <SwitchButton name="Vibration" of={vibration} path={PHONE} whenOn={PHONE_ON} whenOff={PHONE_OFF} />
      )}
    </>
  )
}

interface SwitchProps {
  name: string
  of: Switch
  /** The part of the icon that both states share. */
  path: string
  whenOn: string
  whenOff: string
}

function SwitchButton({ name, of, path, whenOn, whenOff }: SwitchProps) {
  const on = useStore(of.on)
  return <IconButton name={name} path={path + (on ? whenOn : whenOff)} pressed={on} onPress={of.toggle} />
}

import { createEntrance, type EntranceDeps } from './entrance.ts'
import { createSettings, type SettingsDeps } from './settings.ts'

/** Login, sign-up, claim, logout and changes. Each method resolves to null on success, else to the problem. */
export function createAccounts(deps: EntranceDeps & SettingsDeps) {
  return { ...createEntrance(deps), ...createSettings(deps) }
}

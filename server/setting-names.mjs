/** The settings, which come from the environment or from the settings file. server/env.ts checks their values. */
export const SETTING_NAMES = /** @type {const} */ ([
  ...['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'SECRET', 'PUBLIC_URL', 'ABOUT_URL', 'TRUST_PROXY'],
  ...['PRIZE_HOLD_MINUTES', 'CLOCK_TOLERANCE_MS', 'LOG_LEVEL', 'LOG_FORMAT', 'METRICS', 'RATE_LIMITS'],
])

/**
 * Finds misspelt settings: names that differ from a setting by a single edit.
 *
 * @param {readonly string[]} names
 * @returns {{ name: string, setting: string }[]}
 */
export function misspeltSettings(names) {
  const others = names.filter(name => !SETTING_NAMES.some(known => known === name))
  return others.flatMap(name => {
    const setting = SETTING_NAMES.find(known => isOneEditApart(known, name))
    return setting ? [{ name, setting }] : []
  })
}

/**
 * @param {string} one
 * @param {string} other
 */
function isOneEditApart(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const swapped = one.slice(0, start) + one.charAt(start + 1) + one.charAt(start) + one.slice(start + 2)
  if (swapped === other) return true
  const rest = (/** @type {string} */ text, /** @type {number} */ skipped) => text.slice(start + skipped)
  return rest(one, 1) === rest(other, 1) || rest(one, 1) === rest(other, 0) || rest(one, 0) === rest(other, 1)
}

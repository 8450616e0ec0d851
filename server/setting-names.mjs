/** The settings, which come from the environment or from the settings file. server/env.ts checks their values. */
export const SETTING_NAMES = /** @type {const} */ ([
  ...['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'SECRET', 'PUBLIC_URL', 'ABOUT_URL', 'TRUST_PROXY'],
  ...['PRIZE_HOLD_MINUTES', 'CLOCK_TOLERANCE_MS', 'LOG_LEVEL', 'LOG_FORMAT', 'METRICS', 'RATE_LIMITS'],
])

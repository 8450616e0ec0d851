import config from '../playwright.config.ts'

/** `npm run screenshots`: pictures for people to look at, not checks. */
export default { ...config, testDir: '.', testMatch: 'screenshots.ts' }

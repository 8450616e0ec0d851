import config from '../../playwright.config.ts'

/** `npm run screenshots`: pictures for people to look at, and the one of shared links; not checks. */
export default { ...config, testDir: '.', testMatch: ['frames.ts', 'screenshots.ts'] }

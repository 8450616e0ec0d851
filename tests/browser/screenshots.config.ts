import config from '../../playwright.config.ts'

/** `npm run screenshots`: the pictures of the docs and of a shared link; not checks. */
export default { ...config, testDir: '.', testMatch: ['frames.ts', 'screenshots.ts'] }

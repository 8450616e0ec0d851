import config from '../../playwright.config.ts'

/** The configuration of `npm run screenshots`, which takes the pictures and checks nothing. */
export default { ...config, testDir: '.', testMatch: ['screenshots.ts'] }

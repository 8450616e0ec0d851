const isBuilt = import.meta.url.endsWith('.js')

/**
 * The folder that contains `sql/`, `package.json` and `server/lists/`, with a trailing slash. A build
 * contains copies, so that changes to the checkout do not affect a running server.
 */
export const ROOT = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** The folder that contains the built page. */
export const BUILT = isBuilt ? ROOT : new URL('dist/', ROOT)

const isBuilt = import.meta.url.endsWith('.js')

/**
 * The folder of `sql/`, `package.json` and `server/lists/`, with a trailing slash. A build has its own copies,
 * so that a running server sees no changes.
 */
export const ROOT = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** The folder of the built page. */
export const BUILT = isBuilt ? ROOT : new URL('dist/', ROOT)

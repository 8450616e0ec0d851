/** The sources run as they are in tests and measurements; the server that people run is built of them. */
const isBuilt = import.meta.url.endsWith('.js')

/**
 * Where what the server reads as it is lies, `sql/`, `lists/` and `package.json`: for the sources the project's
 * folder, for a build its own, so that nothing changes under a running server. With a slash at its end.
 */
export const ROOT = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** What was built: the page and the thread that hashes. The sources use the newest build. */
export const BUILT = isBuilt ? ROOT : new URL('dist/', ROOT)

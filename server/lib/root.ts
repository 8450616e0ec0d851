/** Tests and benchmarks run the sources; people run the build. */
const isBuilt = import.meta.url.endsWith('.js')

/**
 * The folder of `sql/`, `package.json` and `server/lists/`, with a trailing slash: the project's for the sources,
 * its own for a build, so that nothing changes under a running server.
 */
export const ROOT = new URL(isBuilt ? '../' : '../../', import.meta.url)

/** The folder of the built page, which the sources serve, too. */
export const BUILT = isBuilt ? ROOT : new URL('dist/', ROOT)

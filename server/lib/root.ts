/** The project's folder, as far from `server/lib/` as from what is built, `dist/server/`; with a slash at its end. */
export const ROOT = new URL('../../', import.meta.url)

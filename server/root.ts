/** The project's folder, seen from `server/` and from what is built of it, `dist/server/`; with a slash at its end. */
export const ROOT = new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url)

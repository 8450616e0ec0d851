// `node --import ./scripts/typescript.mjs x.ts` runs TypeScript as it stands, on any Node.

import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)

// `node --import ./scripts/typescript.mjs x.ts` runs TypeScript without a build, on every supported Node.

import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)

import fc from 'fast-check'
import { SEED } from './size.ts'

// The same choices in every short run; where a property fails, fast-check says with which seed and by which example.
fc.configureGlobal({ seed: SEED })

export { fc }

import { defineConfig } from 'vitest/config'
import { sized } from './size.ts'

export default defineConfig({
  test: {
    name: 'faults',
    include: ['faults/*.test.ts'],
    root: '..',
    fileParallelism: false,
    hookTimeout: 60_000,
    testTimeout: sized(120_000, 2_400_000),
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/throughline/src/{log,compaction,session,promises}/**/*.test.ts'],
    exclude: ['**/killed/**', '**/g11-*', '**/real-sessions*', '**/latest.test.ts', '**/faults/**'],
    setupFiles: ['packages/throughline/src/testing/generate/property-seed.ts'],
    testTimeout: 600_000,
    isolate: false,
    maxWorkers: 1,
  },
})

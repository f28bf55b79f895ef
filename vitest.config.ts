import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'bench/**/*.test.ts',
      'clients/*.test.ts',
      'examples/*.test.ts',
    ],
    setupFiles: ['packages/throughline/src/testing/generate/property-seed.ts'],
    testTimeout: 30_000,
    // Every module is loaded once a worker, not once a file: half of the time was loading.
    isolate: false,
    maxWorkers: '100%',
  },
})

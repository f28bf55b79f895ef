import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'bench/**/*.test.ts',
      'clients/*.test.ts',
      'examples/*.test.ts',
    ],
    testTimeout: 30_000,
  },
})

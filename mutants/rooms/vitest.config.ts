import { defineConfig } from 'vitest/config'

/** One process that loads every test once, and runs those that a mutant needs. */
export default defineConfig({
  test: {
    include: ['mutants/rooms/try-mutants.ts'],
    testTimeout: 24 * 3_600_000,
    isolate: false,
    maxWorkers: 1,
    silent: true,
  },
})

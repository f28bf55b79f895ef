import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { importedAs, libraryEntries, packageFolder } from './packages/throughline/build/entries.ts'

// No test asserts time. What hangs is ended after ten minutes, which no busy machine takes.
const patience = 600_000

export default defineConfig({
  resolve: {
    // Tests run the source, also where it is imported as the package; `built.test.ts` runs what ships.
    alias: Object.entries(libraryEntries).map(([entry, file]) => ({
      find: new RegExp(`^${importedAs(entry)}$`),
      replacement: join(packageFolder, file),
    })),
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/report-page/**/*.test.ts',
      'bench/**/*.test.ts',
      'attacks/*.test.ts',
      'clients/*.test.ts',
      'examples/*.test.ts',
      'mutants/*.test.ts',
      'scripts/*.test.ts',
    ],
    globalSetup: ['scripts/test-folder.ts'],
    setupFiles: ['packages/throughline/src/testing/generate/property-seed.ts'],
    testTimeout: patience,
    hookTimeout: patience,
    teardownTimeout: patience,
    // What a test waits for comes late on a busy machine; after a second it would be given up.
    expect: { poll: { timeout: patience / 2, interval: 50 } },
    // Every module is loaded once a worker, not once a file: half of the time was loading.
    isolate: false,
    maxWorkers: '100%',
  },
})

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { importedAs, libraryEntries, packageFolder } from './packages/throughline/build/entries.ts'

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

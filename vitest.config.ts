import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { importedAs, libraryEntries, packageFolder } from './packages/throughline/build/entries.ts'

// No test asserts time. What hangs is ended after ten minutes, which no busy machine takes.
const patience = 600_000

const folders = [
  'packages/*/src/**',
  'packages/*/report-page/**',
  'bench/**',
  'attacks',
  'clients',
  'examples',
  'mutants',
  'scripts',
]
const tests = folders.map((folder) => `${folder}/*.test.ts`)
// What takes more than some seconds by itself; `npm test` leaves it to `npm run test:long`.
const long = folders.map((folder) => `${folder}/*.long.test.ts`)
const without = ['**/node_modules/**']

export default defineConfig({
  resolve: {
    // Tests run the source, also where it is imported as the package; `built.test.ts` runs what ships.
    alias: Object.entries(libraryEntries).map(([entry, file]) => ({
      find: new RegExp(`^${importedAs(entry)}$`),
      replacement: join(packageFolder, file),
    })),
  },
  test: {
    projects: [
      { extends: true, test: { name: 'short', include: tests, exclude: [...without, ...long] } },
      { extends: true, test: { name: 'long', include: long, exclude: without } },
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

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What stands beside the code is quick and near; properties of whole sessions come last. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => distance(a) - distance(b))
  }
}

function distance({ moduleId }: TestSpecification): number {
  if (moduleId.includes('/promises/')) return 3
  if (moduleId.includes('properties')) return 2
  return moduleId.includes('/session/') ? 1 : 0
}

/** The tests that mutants are run against: no processes, no corpus, no compiler, no faults. */
export default defineConfig({
  test: {
    include: ['packages/throughline/src/{log,compaction,session,promises}/**/*.test.ts'],
    exclude: [
      '**/promises/g11-*',
      '**/promises/g01-whole-lives*',
      '**/promises/real-sessions*',
      '**/promises/faults/**',
      '**/log/latest.test.ts',
      '**/hostile.test.ts',
    ],
    setupFiles: ['packages/throughline/src/testing/generate/property-seed.ts'],
    testTimeout: 600_000,
    isolate: false,
    sequence: { sequencer: NearestFirst },
  },
})

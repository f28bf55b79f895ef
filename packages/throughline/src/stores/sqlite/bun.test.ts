import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { scratchFolder } from './testing/scratch.ts'
import { storeConformance } from '../../testing/conformance/store-conformance.ts'

/** Bun by itself, or inside opencode, which is one of the clients that `npm run test:clients` has. */
function bunCommand(): string | undefined {
  const named = process.env['THROUGHLINE_BUN']
  if (named !== undefined) return named
  const clients =
    process.env['THROUGHLINE_CLIENTS'] ?? join(homedir(), '.cache/throughline/clients')
  if (!existsSync(clients)) return undefined
  const [found] = globSync('opencode-*/node_modules/opencode-*/bin/opencode', { cwd: clients })
  return found && join(clients, found)
}

const bun = bunCommand()
if (!bun) console.warn('bun.test.ts is skipped: name a Bun by THROUGHLINE_BUN.')

it.skipIf(!bun)('keeps every promise of a store in Bun, too', () => {
  const url = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href)
  const script = `
    import { storeConformance } from ${url('../../testing/conformance/store-conformance.ts')}
    import { sqliteStore } from ${url('sqlite-store.ts')}
    const failed = []
    for (const [index, { name, run }] of storeConformance.entries()) {
      try {
        await run(() => sqliteStore({ file: ${JSON.stringify(scratchFolder())} + '/' + index + '.db' }))
      } catch (error) {
        failed.push(name + ': ' + error.message)
      }
    }
    console.log(JSON.stringify({ bun: process.versions.bun, cases: storeConformance.length, failed }))`
  const env = { ...process.env, BUN_BE_BUN: '1' }
  const answer = execFileSync(bun ?? '', ['-e', script], { encoding: 'utf8', env })
  expect(JSON.parse(answer)).toEqual({
    bun: expect.stringMatching(/^\d/) as string,
    cases: storeConformance.length,
    failed: [],
  })
})

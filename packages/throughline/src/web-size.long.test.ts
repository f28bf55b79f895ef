import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { libraryEntries, packageFolder, pureEntries } from '../build/entries.ts'

interface Shipped {
  /** What loads with the app, compressed. */
  bytes: number
  /** With what loads when it is needed. */
  whole: number
  node: string[]
}

/** What a web app ships for what it imports: minified, and what of Node it would need. */
async function shipped(entry: string, name: string): Promise<Shipped> {
  const file = join(packageFolder, entry)
  const bundle = await rolldown({
    input: 'app',
    platform: 'browser',
    external: /^node:/,
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app' ? id : undefined),
        load: (id) => (id === 'app' ? `export ${name} from ${JSON.stringify(file)}` : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const chunks = output.filter((each) => each.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const first = new Set([output[0].fileName])
  for (const file of first) for (const next of byName.get(file)?.imports ?? []) first.add(next)
  const sizeOf = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + gzipSync(byName.get(file)?.code ?? '').length, 0)
  const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports])
  const node = imports.filter((one) => one.startsWith('node:'))
  return { bytes: sizeOf(first), whole: sizeOf(byName.keys()), node }
}

test.each([
  ['compactMessages', libraryEntries.index, 50_000, 173_000],
  ['estimateTokens', libraryEntries.engine, 8_000, 8_000],
])('%s of %s ships with at most %i bytes, compressed', async (name, entry, most, mostWhole) => {
  const { bytes, whole } = await shipped(entry, `{ ${name} }`)
  expect(bytes).toBeLessThanOrEqual(most)
  expect(bytes).toBeGreaterThan(most * 0.8)
  // What only a compaction needs comes when one is due.
  expect(whole).toBeLessThanOrEqual(mostWhole)
})

test.each(pureEntries)('the door %s needs nothing of Node', async (name) => {
  expect((await shipped(libraryEntries[name], '*')).node).toEqual([])
})

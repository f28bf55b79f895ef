import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { libraryEntries, packageFolder } from '../build/entries.ts'

/** What a web app ships for what it imports: minified, and what of Node it would need. */
async function shipped(entry: string, name: string): Promise<{ bytes: number; node: string[] }> {
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
  const [first] = output
  const node = [...first.imports, ...first.dynamicImports].filter((one) => one.startsWith('node:'))
  return { bytes: gzipSync(first.code).length, node }
}

// The goals are 60 and 8 kB: both are missed. A change must not make it worse unseen.
test.each([
  ['compactMessages', libraryEntries.index, 120_000],
  ['estimateTokens', libraryEntries.engine, 9_000],
])('%s of %s ships with at most %i bytes, compressed', async (name, entry, most) => {
  const { bytes } = await shipped(entry, `{ ${name} }`)
  expect(bytes).toBeLessThanOrEqual(most)
  expect(bytes).toBeGreaterThan(most * 0.8)
})

/** The doors that a browser or an edge worker opens. */
const pure = ['index', 'engine', 'conversation', 'anthropic', 'openai', 'gemini', 'google'] as const

test.each(pure)('the door %s needs nothing of Node', async (name) => {
  expect((await shipped(libraryEntries[name], '*')).node).toEqual([])
})

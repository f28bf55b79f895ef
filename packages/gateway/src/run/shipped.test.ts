import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const dist = join(import.meta.dirname, '../../dist')
const built = existsSync(join(dist, 'index.js'))
if (!built) console.warn('shipped.test.ts is skipped: dist is missing. npm test builds it first.')

const { devDependencies } = createRequire(import.meta.url)('../../package.json') as {
  devDependencies: Record<string, string>
}

it.skipIf(!built)('the licence and version of everything bundled come with the gateway', () => {
  const page = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), 'utf8')
  const code = readdirSync(dist).filter((name) => name.endsWith('.js'))
  // The bundler names the module from which each part came.
  const bundled = code.flatMap((name) => {
    const parts = readFileSync(join(dist, name), 'utf8').matchAll(
      /^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
    )
    return [...parts].map(([, from = '']) => from)
  })
  const names = [...new Set(bundled)].toSorted()
  expect(names).toEqual(expect.arrayContaining(['@opentelemetry/api', 'hono', 'pino', 'undici']))
  const listed = [...page.matchAll(/^## (\S+) (\S+) \(\S+\)$/gm)]
  expect(listed.map(([, name]) => name).toSorted()).toEqual(names)
  for (const [, name = '', version] of listed) {
    const pinned = devDependencies[name]
    if (pinned !== undefined) expect(`${name} ${version}`).toBe(`${name} ${pinned}`)
  }
})

import { readFileSync, readdirSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const reference = join(root, 'docs/reference')

interface Block {
  page: string
  code: string
}

const blocks: Block[] = [
  'README.md',
  'examples/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
    ([, code = '']) => ({ page, code }),
  ),
)

/** The names that a package exports, as its generated reference lists them. */
function exportsOf(module: string): Set<string> {
  const page = readFileSync(join(reference, `${module.replaceAll('/', '-')}.md`), 'utf8')
  return new Set([...page.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name))
}

test('every code block of the docs is TypeScript', () => {
  expect(blocks.length).toBeGreaterThan(25)
  for (const { page, code } of blocks) {
    // A block may stand within a function that returns.
    const inside = code.replace(/^import .*? from '[^']+'$/gms, '')
    const text = /^export /m.test(code) ? code : `async function lines() {\n${inside}\n}`
    const parse = (): string => stripTypeScriptTypes(text)
    expect(parse, `${page}:\n${code}`).not.toThrow()
  }
})

test('every name that the docs import is exported where they say', () => {
  let checked = 0
  for (const { page, code } of blocks) {
    for (const [, names = '', module = ''] of code.matchAll(
      /^import (?:type )?\{([^}]*)\} from '(throughline[^']*)'/gm,
    )) {
      const exported = exportsOf(module)
      for (const name of names.split(',').map((each) => each.replace(/^\s*type /, '').trim())) {
        if (name === '') continue
        checked += 1
        expect(exported.has(name.split(' as ')[0] ?? ''), `${page}: ${name} of ${module}`).toBe(
          true,
        )
      }
    }
  }
  expect(checked).toBeGreaterThan(10)
})

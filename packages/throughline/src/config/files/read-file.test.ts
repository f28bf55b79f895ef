import { expect, it, afterAll, beforeAll, describe } from 'vitest'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each in a folder of its own; `a` and `b` stand for the names of the files. */
const files: Record<string, [name: string, content: string, message: string, manifest?: string]> = {
  types: ['a.ts', 'const a: number = 5\nexport default { a }', '{"a":5}'],
  'a package without a type': ['a.ts', 'export default { a: 1 }', '{"a":1}', '{}'],
  CommonJS: ['a.js', 'module.exports = { a: 1 }', '{"a":1}', '{"type":"commonjs"}'],
  'a promise awaited': ['a.mjs', 'export default await Promise.resolve({ a: 1 })', '{"a":1}'],
  'no default': [
    'a.ts',
    'export const a = 1',
    'a: it has no default export; write "export default { … }".',
  ],
  'nothing at all': ['a.ts', '', 'a: it has no default export; write "export default { … }".'],
  'no export': [
    'a.js',
    'const config = { a: 1 }',
    'a: it has no default export; write "export default { … }".',
  ],
  'an empty object': ['a.ts', 'export default {}', '{}'],
  throws: [
    'a.ts',
    'const a = 1\nthrow new TypeError("boom\\nmore.")',
    'a: line 2: it throws TypeError: boom.',
  ],
  'throws no error': ['a.ts', 'throw 5', 'a: it throws 5.'],
  'mistakes in types': [
    'a.ts',
    'export default {\n  a: b: 3 }',
    "a: line 2: Expected ',', got ':'.",
  ],
  enums: [
    'a.ts',
    'enum A { b }\nexport default {}',
    'a: line 1: TypeScript enum is not supported in strip-only mode.',
  ],
  'mistakes in code': [
    'a.mjs',
    'export default { a: = }',
    "a: Unexpected token '='. node --check a shows where.",
  ],
  'a package that is missing': [
    'a.ts',
    'import { defineConfig } from "throughline/config"\nexport default defineConfig({})',
    "a: Cannot find package 'throughline' imported from b. Install it in the configuration’s directory, or do without it: a plain object is enough.",
  ],
  'modules in a CommonJS package': [
    'a.ts',
    'export default {}',
    'a: Unexpected token \'export\': Node treats it as CommonJS. Set "type": "module" in its package.json, or rename it to .mjs.',
    '{"type":"commonjs"}',
  ],
}

// In a process of its own: here Vite would read TypeScript in Node's place.
const script = `
const { importFile } = await import(${JSON.stringify(new URL('read-file.ts', import.meta.url).href)})
const told = {}
for (const [name, path] of Object.entries(JSON.parse(process.argv[1]))) {
  const read = importFile({ path, shown: path })
  told[name] = await read.then((value) => JSON.stringify(value), (error) => error.message)
}
console.log(JSON.stringify(told))
`

const root = mkdtempSync(join(tmpdir(), 'throughline-import-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe.skipIf(!process.features.typescript)('importFile, of a file with', () => {
  const paths: Record<string, string> = {}
  let told: Record<string, string> = {}
  let err = ''

  beforeAll(() => {
    for (const [name, [file, content, , manifest]] of Object.entries(files)) {
      const folder = join(root, name)
      mkdirSync(folder)
      paths[name] = join(folder, file)
      writeFileSync(paths[name], content)
      if (manifest !== undefined) writeFileSync(join(folder, 'package.json'), manifest)
    }
    const ran = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', script, JSON.stringify(paths)],
      { encoding: 'utf8' },
    )
    err = ran.stderr
    told = JSON.parse(ran.stdout)
  })

  it.each(Object.entries(files))('%s, says what it is', (name, [, , message]) => {
    const path = paths[name] ?? ''
    expect(told[name]?.replaceAll(path, 'b')).toBe(
      message.replace(/^a: /, 'b: ').replace('--check a ', '--check b '),
    )
  })

  it('a package without a type, prints no warning', () => {
    expect(err).not.toContain('Module type of')
  })
})

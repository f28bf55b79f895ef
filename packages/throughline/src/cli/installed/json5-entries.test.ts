import { expect, test } from 'vitest'
import { json5Tree } from './json5-tree.ts'
import { withJson5Entries, withoutJson5Entries } from './json5-entries.ts'
import type { JsonEntry } from './change.ts'

const entries: readonly JsonEntry[] = [
  { at: ['plugins', 'load', 'paths'], value: '/a/throughline', mark: '/a/throughline' },
  { at: ['plugins', 'slots', 'contextEngine'], value: 'throughline' },
  { at: ['agents', 'defaults', 'midTurn'], value: true },
]

const written = `{
  // mine: { not: read }
  agents: { defaults: { model: 'x', /* here */ }, },
  plugins: {
    load: { paths: ["/b"] },
    slots: {}, // empty
  },
  'it\\'s': .5, hex: 0x10,
}
`

test('a configuration in JSON5 keeps every byte that is not ours', () => {
  const now = withJson5Entries(written, entries)
  expect(json5Tree(now).value).toEqual({
    agents: { defaults: { midTurn: true, model: 'x' } },
    plugins: {
      load: { paths: ['/a/throughline', '/b'] },
      slots: { contextEngine: 'throughline' },
    },
    "it's": 0.5,
    hex: 16,
  })
  expect(now).toContain('// mine: { not: read }')
  expect(now).toContain("model: 'x', /* here */")
  expect(withJson5Entries(now, entries)).toBe(now)
  const back = withoutJson5Entries(now, entries)
  expect(json5Tree(back).value).toEqual({
    agents: { defaults: { model: 'x' } },
    plugins: { load: { paths: ['/b'] } },
    "it's": 0.5,
    hex: 16,
  })
  expect(back).toContain('// empty')
})

test('plain JSON stays plain JSON', () => {
  const text = '{\n  "a": 1,\n  "plugins": {\n    "slots": {\n      "memory": "m"\n    }\n  }\n}\n'
  const now = withJson5Entries(text, entries)
  expect(JSON.parse(now)).toMatchObject({
    a: 1,
    plugins: { slots: { memory: 'm', contextEngine: 'throughline' } },
  })
  expect(JSON.parse(withoutJson5Entries(now, entries))).toEqual(JSON.parse(text))
  expect(JSON.parse(withJson5Entries('', entries))).toMatchObject({ plugins: {} })
})

test('what is no JSON5, or no place for it, is said with its line and not changed', () => {
  expect(() => withJson5Entries('{\n a: ,\n}', entries)).toThrow('line 2 is not JSON5')
  expect(() => withJson5Entries('{ plugins: 1 }', entries)).toThrow('plugins is not an object')
  expect(() => withJson5Entries('{ plugins: {load: {paths: 1}} }', entries)).toThrow('not a list')
})

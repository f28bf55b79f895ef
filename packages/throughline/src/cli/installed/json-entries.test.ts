import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { json5Tree } from './json5-tree.ts'
import { withJsonEntries, withoutJsonEntries } from './json-entries.ts'
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
  const now = withJsonEntries(written, entries)
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
  expect(withJsonEntries(now, entries)).toBe(now)
  const back = withoutJsonEntries(now, entries)
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
  const now = withJsonEntries(text, entries)
  expect(JSON.parse(now)).toMatchObject({
    a: 1,
    plugins: { slots: { memory: 'm', contextEngine: 'throughline' } },
  })
  expect(JSON.parse(withoutJsonEntries(now, entries))).toEqual(JSON.parse(text))
  expect(JSON.parse(withJsonEntries('', entries))).toMatchObject({ plugins: {} })
})

test('what is no JSON5, or no place for it, is said with its line and not changed', () => {
  expect(() => withJsonEntries('{\n a: ,\n}', entries)).toThrow('line 2 is not JSON5')
  expect(() => withJsonEntries('{ plugins: 1 }', entries)).toThrow('plugins is not an object')
  expect(() => withJsonEntries('{ plugins: {load: {paths: 1}} }', entries)).toThrow('not a list')
})

const server = { command: '/opt/a "b"/node', args: ['C:\\x\\throughline.js', 'mcp'] }
const clientEntries: JsonEntry[] = [
  { at: ['mcpServers', 'throughline'], value: server },
  { at: ['hooks', 'PreCompact'], value: { hooks: [{ command: 'node hook.js' }] }, mark: 'hook.js' },
]

const commented = `{
  // what I like
  "theme": "dark", /* really */
  "mcpServers": {
    "mine": { "command": "x" }, // keep
  },
  "hooks": { "PreCompact": [{ "hooks": [] }] },
}
`

const valueOf = (text: string): unknown => json5Tree(text).value

describe('entries in a JSON configuration', () => {
  it('leave comments, order and trailing commas alone, and are taken away again', () => {
    const now = withJsonEntries(commented, clientEntries)
    for (const line of ['// what I like', '/* really */', '// keep', '"theme": "dark",']) {
      expect(now).toContain(line)
    }
    expect(valueOf(now)).toMatchObject({
      theme: 'dark',
      mcpServers: { mine: { command: 'x' }, throughline: server },
      hooks: { PreCompact: [clientEntries[1]?.value, { hooks: [] }] },
    })
    expect(withJsonEntries(now, clientEntries)).toBe(now)
    expect(valueOf(withoutJsonEntries(now, clientEntries))).toEqual(valueOf(commented))
  })

  it('replace an older one of ours in a list, and nobody else’s', () => {
    const older = withJsonEntries(commented, [
      { at: ['hooks', 'PreCompact'], value: { command: 'old hook.js' }, mark: 'hook.js' },
    ])
    expect(valueOf(withJsonEntries(older, clientEntries))).toMatchObject({
      hooks: { PreCompact: [clientEntries[1]?.value, { hooks: [] }] },
    })
  })

  it('are refused where they cannot stand, with the place', () => {
    expect(() => withJsonEntries('{ "a": 1,, }', clientEntries)).toThrow('line 1 is not JSON')
    expect(() => withJsonEntries('[]', clientEntries)).toThrow('it is not an object')
    expect(() => withJsonEntries('{ "mcpServers": [] }', clientEntries)).toThrow(
      'mcpServers is not an object',
    )
    expect(() => withJsonEntries('{ "hooks": { "PreCompact": {} } }', clientEntries)).toThrow(
      'hooks.PreCompact is not a list',
    )
  })

  it('come and go in any object without touching what else it says', () => {
    const key = fc.constantFrom(
      'mcpServers',
      'hooks',
      'PreCompact',
      'throughline',
      'a b',
      '"',
      '__proto__',
    )
    const objects = fc.dictionary(
      key,
      fc.dictionary(key, fc.oneof(fc.string(), fc.integer(), fc.constant([]))),
    )
    fc.assert(
      fc.property(objects, fc.constantFrom(0, 2, '\t'), (object, indent) => {
        fc.pre(!Object.hasOwn(object['mcpServers'] ?? {}, 'throughline'))
        const list = object['hooks']?.['PreCompact']
        fc.pre(list === undefined || Array.isArray(list))
        const text = JSON.stringify(object, null, indent)
        const now = withJsonEntries(text, clientEntries)
        const { mcpServers = {}, hooks = {}, ...others } = object
        expect(JSON.parse(now)).toEqual({
          ...others,
          mcpServers: { ...mcpServers, throughline: server },
          hooks: { ...hooks, PreCompact: [clientEntries[1]?.value, ...((list as []) ?? [])] },
        })
        expect(withJsonEntries(now, clientEntries)).toBe(now)
        const {
          mcpServers: mine,
          hooks: its,
          ...rest
        } = JSON.parse(withoutJsonEntries(now, clientEntries))
        expect(rest).toEqual(others)
        expect(mine ?? {}).toEqual(mcpServers)
        const { PreCompact: left = [], ...hooksLeft } = its ?? {}
        const { PreCompact: before = [], ...hooksBefore } = hooks
        expect([left, hooksLeft]).toEqual([before, hooksBefore])
      }),
    )
  })
})

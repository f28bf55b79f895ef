import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { withJsonEntries, withoutJsonEntries } from './json-entries.ts'
import type { JsonEntry } from './change.ts'

const server = { command: '/opt/a "b"/node', args: ['C:\\x\\throughline.js', 'mcp'] }
const entries: JsonEntry[] = [
  { at: ['mcpServers', 'throughline'], value: server },
  { at: ['hooks', 'PreCompact'], value: { hooks: [{ command: 'node hook.js' }] }, mark: 'hook.js' },
]

const written = `{
  // what I like
  "theme": "dark", /* really */
  "mcpServers": {
    "mine": { "command": "x" }, // keep
  },
  "hooks": { "PreCompact": [{ "hooks": [] }] },
}
`

describe('entries in a JSON configuration', () => {
  it('leave comments, order and trailing commas alone, and are taken away again', () => {
    const now = withJsonEntries(written, entries)
    for (const line of ['// what I like', '/* really */', '// keep', '"theme": "dark",']) {
      expect(now).toContain(line)
    }
    expect(parse(now)).toMatchObject({
      theme: 'dark',
      mcpServers: { mine: { command: 'x' }, throughline: server },
      hooks: { PreCompact: [{ hooks: [] }, entries[1]?.value] },
    })
    expect(withJsonEntries(now, entries)).toBe(now)
    expect(parse(withoutJsonEntries(now, entries))).toEqual(parse(written))
  })

  it('replace an older one of ours in a list, and nobody else’s', () => {
    const older = withJsonEntries(written, [
      { at: ['hooks', 'PreCompact'], value: { command: 'old hook.js' }, mark: 'hook.js' },
    ])
    expect(parse(withJsonEntries(older, entries)).hooks.PreCompact).toEqual([
      { hooks: [] },
      entries[1]?.value,
    ])
  })

  it('are refused where they cannot stand, with the place', () => {
    expect(() => withJsonEntries('{ "a": 1,, }', entries)).toThrow('line 1 is not JSON')
    expect(() => withJsonEntries('[]', entries)).toThrow('does not hold an object')
    expect(() => withJsonEntries('{ "mcpServers": [] }', entries)).toThrow(
      'mcpServers is not an object',
    )
    expect(() => withJsonEntries('{ "hooks": { "PreCompact": {} } }', entries)).toThrow(
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
        const now = withJsonEntries(text, entries)
        const { mcpServers = {}, hooks = {}, ...others } = object
        expect(JSON.parse(now)).toEqual({
          ...others,
          mcpServers: { ...mcpServers, throughline: server },
          hooks: { ...hooks, PreCompact: [...((list as []) ?? []), entries[1]?.value] },
        })
        expect(withJsonEntries(now, entries)).toBe(now)
        const {
          mcpServers: mine,
          hooks: its,
          ...rest
        } = JSON.parse(withoutJsonEntries(now, entries))
        expect(rest).toEqual(others)
        expect(mine ?? {}).toEqual(mcpServers)
        const { PreCompact: left = [], ...hooksLeft } = its ?? {}
        const { PreCompact: before = [], ...hooksBefore } = hooks
        expect([left, hooksLeft]).toEqual([before, hooksBefore])
      }),
    )
  })
})

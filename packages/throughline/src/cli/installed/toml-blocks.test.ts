import fc from 'fast-check'
import { parse, stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { tomlString, withTomlBlocks, withoutTomlBlocks } from './toml-blocks.ts'

const blocks = {
  top: ['compact_prompt = "x"'],
  end: ['[mcp_servers.throughline]', 'command = "node"'],
}

describe('blocks in a TOML configuration', () => {
  it.each([
    '',
    'model = "a" # mine\n\n[mcp_servers.mine]\ncommand = "y"\n',
    '# no line end behind this',
    'a = 1\r\n[b]\r\nc = 2\r\n',
  ])('stand before the first table and at the end, and go again: %j', (text) => {
    const now = withTomlBlocks(text, blocks)
    expect(parse(now)).toMatchObject({
      compact_prompt: 'x',
      mcp_servers: { throughline: { command: 'node' } },
    })
    expect(withTomlBlocks(now, blocks)).toBe(now)
    expect(withoutTomlBlocks(now).trimEnd()).toBe(text.trimEnd())
    expect(withoutTomlBlocks(`${now}[later]\nx = 1\n`)).toContain('[later]\nx = 1\n')
  })

  it.each([
    ['a = ', 'Invalid'],
    ['compact_prompt = "mine"\n', 'already says something else'],
    ['mcp_servers = { mine = { command = "y" } }\n', 'already says something else'],
  ])('are refused where they cannot stand: %j', (text, reason) => {
    expect(() => withTomlBlocks(text, blocks)).toThrow(new RegExp(reason, 'i'))
  })

  it('come and go in any document, byte for byte', () => {
    const table = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), table), (object) => {
        fc.pre(!Object.hasOwn(object, 'compact_prompt'))
        fc.pre(!Object.hasOwn(object['mcp_servers'] ?? {}, 'throughline'))
        const text = `${stringify(object)}\n`
        expect(withoutTomlBlocks(withTomlBlocks(text, blocks))).toBe(text)
      }),
    )
  })

  it('hold any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(parse(`a = ${tomlString(text)}`)).toEqual({ a: text })
      }),
    )
  })
})

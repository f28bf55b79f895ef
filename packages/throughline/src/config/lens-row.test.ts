import { describe, expect, it } from 'vitest'
import { lensOf, type LensRow } from './lens-row.ts'

function effects(
  row: Omit<LensRow, 'tool'>,
  input: unknown,
  { failed = false, output = 'ok' } = {},
) {
  return lensOf({ tool: 'my_tool', ...row }).read({ tool: 'my_tool', input, output, failed })
}

describe('a row', () => {
  it.each([
    [{ reads: 'doc' }, { doc: 'a.ts' }, [{ type: 'read', path: 'a.ts' }]],
    [{ writes: 'doc' }, { doc: 'a.ts' }, [{ type: 'create', path: 'a.ts' }]],
    [{ edits: 'doc' }, { doc: 'a.ts' }, [{ type: 'edit', path: 'a.ts' }]],
    [{ deletes: 'doc' }, { doc: 'a.ts' }, [{ type: 'delete', path: 'a.ts' }]],
    [
      { reads: 'from', writes: 'to' },
      { from: 'a', to: 'b' },
      [
        { type: 'read', path: 'a' },
        { type: 'create', path: 'b' },
      ],
    ],
    [
      { deletes: 'docs' },
      { docs: ['a', 'b'] },
      [
        { type: 'delete', path: 'a' },
        { type: 'delete', path: 'b' },
      ],
    ],
    [{ reads: 'doc' }, { file_path: 'other', doc: 'a' }, [{ type: 'read', path: 'a' }]],
    [{ reads: 'doc' }, { path: 'a' }, []],
    [{ reads: 'doc' }, 'a', []],
    [{ runs: 'line' }, {}, []],
  ])('%j reads of %j what it did', (row, input, found) => {
    expect(effects(row, input)).toEqual(found)
  })

  it('runs a command as the shells do', () => {
    const ran = effects({ runs: 'line' }, { line: 'rm old.ts && npm test' }, { output: 'fine' })
    expect(ran).toContainEqual({ type: 'delete', path: 'old.ts' })
    expect(ran).toContainEqual(expect.objectContaining({ type: 'command', purpose: 'check' }))
  })

  it('says of a call that failed that it failed', () => {
    const failure = { failed: true, output: 'no such file' }
    expect(effects({ writes: 'doc' }, { doc: 'a' }, failure)).toEqual([
      { type: 'failure', text: 'no such file', path: 'a' },
    ])
    expect(effects({ reads: 'doc' }, { doc: 'a' }, failure)).toEqual([])
  })

  it('serves one tool or several', () => {
    expect(lensOf({ tool: 'a', reads: 'x' }).tools).toEqual(['a'])
    expect(lensOf({ tool: ['a', 'b'], reads: 'x' }).tools).toEqual(['a', 'b'])
  })
})

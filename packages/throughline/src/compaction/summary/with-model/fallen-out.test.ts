import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { human, logFrom, step } from '../../../testing/generate/build.ts'
import { fallenOut } from './fallen-out.ts'

const log = logFrom([
  human('Make the cache faster.'),
  step(
    'a',
    'Edit',
    { file_path: 'src/ttl.ts', old_string: 'a', new_string: 'b' },
    'The file src/ttl.ts has been updated.',
  ),
])
const facts = factsOf(log, {})

const before = [
  '## Goal\nMake the cache faster than it was last year in production.',
  '## Discoveries\n- Redis answers in 40 ms because the pool holds one connection only.\n- Eviction in src/ttl.ts runs under the global lock of the store.\n- Read again [12] how the pool is opened and closed by workers.',
  '## Accomplished\n- Measured 300 requests with the profiler: serialization takes a third.\n- Still open: benchmark the pool with 16 connections.',
].join('\n\n')

const lost = (updated: string, since = 0): string[] =>
  fallenOut(before, updated, { facts, since }).map(({ line }) => line)

describe('what an update leaves out of the summary before', () => {
  it('is found, line by line, but for the goal and for lines that code wrote', () => {
    const all = lost('## Goal\nOther words.\n\n## Discoveries\n- Nothing of it.', 99)
    expect(all).toHaveLength(4)
    expect(all.join('\n')).not.toMatch(/last year|Read again/)
  })

  it('is not what it says in other words', () => {
    const said = lost(
      '## Discoveries\n- The pool holds only one connection, so Redis answers in 40 ms.\n- With the profiler: 300 requests, a third is serialization, measured.',
      99,
    )
    expect(said.join('\n')).not.toMatch(/Redis|profiler/)
  })

  it('is not what later work on the same file overtook', () => {
    const updated = '## Accomplished\n- `src/ttl.ts`: eviction has a lock of its own.'
    expect(lost(updated).join('\n')).not.toContain('global lock')
    expect(lost(updated, 99).join('\n')).toContain('global lock')
    expect(lost('## Goal\nx').join('\n')).toContain('global lock')
  })

  it('is not what was open, where the update says anything of it', () => {
    expect(lost('## Accomplished\n- Found 16 to be enough.').join('\n')).not.toContain('Still open')
    expect(lost('## Accomplished\n- Nothing.').join('\n')).toContain('Still open')
  })
})

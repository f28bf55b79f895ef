import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { human, logFrom, step } from '../../../testing/generate/build.ts'
import { listsOtherNames, otherPathsLabel } from '../../../facts/labels.ts'
import { summarizeLocally } from '../local/summarize-locally.ts'
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
  '## Discoveries\n- Redis answers in 40 ms because the pool holds one connection only.\n- Eviction in src/ttl.ts runs under the global lock of the store.\n- Read again [12] how the pool is opened and closed by workers.\n  Two sentences of last year stand behind that one in the log.',
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

  it('is never a line of names: what was only used is named anew', () => {
    const files = Array.from({ length: 60 }, (_, at) => `src/part-${at}.ts`)
    const used = logFrom([
      human('Look at the parts.'),
      ...files.map((path, at) => step(`${at}`, 'Read', { file_path: `/code/${path}` }, 'x = 1')),
    ])
    const count = (text: string): number => Math.ceil(text.length / 4)
    const summary = summarizeLocally({ facts: factsOf(used, {}), budget: 900, count })
    expect(summary).toContain(otherPathsLabel)
    const names = summary.split('\n').filter(listsOtherNames).join('\n')
    expect(lostOf(names, '## Goal\nx', 'Relevant files')).toEqual([])
    const earlier = 'More paths: src/one.ts src/two.ts and then src/three.ts or the fourth'
    expect(lostOf(earlier, '## Goal\nx', 'Relevant files')).toEqual([])
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

/** What is lost of a summary with this line under a heading. */
const lostOf = (line: string, updated: string, heading = 'Discoveries', since = 99): string[] =>
  fallenOut(`## ${heading}\n${line}`, updated, { facts, since }).map((each) => each.line)

describe('a line of the summary before', () => {
  it('is said where one line of the update holds half of its words, and not where it holds fewer', () => {
    const line = '- alpha bravo charlie delta.'
    expect(lostOf(line, 'Only alpha and bravo.')).toEqual([])
    expect(lostOf(line, 'Only alpha.')).toEqual([line])
    expect(lostOf(line, 'Only alpha.\nOnly bravo.')).toEqual([line])
  })

  it('is said where the lines of the update hold nearly all of its words together', () => {
    const words = Array.from({ length: 20 }, (_, at) => `word${'abcdefghijklmnopqrst'[at]}`)
    const scattered = (count: number): string => words.slice(0, count).join('\n')
    const line = `- ${words.join(' ')}`
    expect(lostOf(line, scattered(20))).toEqual([])
    expect(lostOf(line, scattered(17))).toEqual([])
    expect(lostOf(line, scattered(16))).toEqual([line])
  })

  it('is missed from four words on: a shorter one is a label', () => {
    expect(lostOf('- alpha bravo charlie', 'Nothing.')).toEqual([])
    expect(lostOf('- alpha bravo charlie delta', 'Nothing.')).toHaveLength(1)
    expect(lostOf('(none)', 'Nothing.')).toEqual([])
  })

  it.each(['[12]', '[12.3]', '[q0a1b2:12]', '[q0a1b2:12.3]'])(
    'that carries the ref %s comes from the log, and is not missed',
    (ref) => {
      expect(lostOf(`- alpha bravo charlie delta ${ref}`, 'Nothing.')).toEqual([])
    },
  )

  it.each(['[x]', '[q:12]', '[12', '[1234567890]', '[12.]'])('with %s carries no ref', (none) => {
    expect(lostOf(`- alpha bravo charlie delta ${none}`, 'Nothing.')).toHaveLength(1)
  })

  it('is told with its heading, as it was but for the spaces at its end', () => {
    const previous = '## Relevant files\nAll:\n  - alpha bravo charlie delta.  \nx'
    expect(fallenOut(previous, 'Nothing.', { facts, since: 0 })).toEqual([
      { heading: 'Relevant files', line: '  - alpha bravo charlie delta.' },
    ])
  })

  it.each(['Discoveries', 'Accomplished', 'Relevant files'])('is missed under %s', (heading) => {
    expect(lostOf('- alpha bravo charlie delta.', 'Nothing.', heading)).toHaveLength(1)
  })

  it.each(['Goal', 'Instructions'])('is told anew under %s', (heading) => {
    expect(lostOf('- alpha bravo charlie delta.', 'Nothing.', heading)).toEqual([])
  })

  it.each([
    'Next: run it with 16 workers and measure latency.',
    'To do: run it with 16 workers and measure latency.',
    'Todo: run it with 16 workers and measure latency.',
    'Pending: measure latency with 16 workers.',
    'The latency with 16 workers is still open, and so is throughput.',
    'The latency with 16 workers is still missing, and so is throughput.',
    'The latency with 16 workers is still to measure, and so is throughput.',
    'The latency with 16 workers remains unclear, and so does throughput.',
    'The remaining work is latency with 16 workers, and throughput.',
    'The latency with 16 workers was not yet measured.',
    'The latency with 16 workers is in progress, throughput later.',
    'The latency with 16 workers is under way, throughput later.',
    'Unfinished: latency with 16 workers, throughput later.',
    'Waiting for latency with 16 workers, throughput later.',
  ])('was open, so a word of it in the update is enough: %s', (line) => {
    expect(lostOf(line, '16 are enough.')).toEqual([])
    expect(lostOf(line, '17 are enough.')).toEqual([line])
    expect(lostOf(line, 'They measure well.')).toEqual([line])
  })

  it('that was closed is not overtaken by one word of it', () => {
    const line = '- The latency with 16 workers was measured: throughput is flat.'
    expect(lostOf(line, '16 are enough.')).toEqual([line])
  })

  it('about a file is overtaken by work on it since then that the update tells of', () => {
    const line = '- Eviction in src/ttl.ts runs under the global lock of stores.'
    const told = 'Mended `ttl.ts`.'
    const edited = facts.files.get('src/ttl.ts')?.seqs.at(-1) ?? 0
    expect(edited).toBeGreaterThan(0)
    expect(lostOf(line, told, 'Discoveries', edited - 1)).toEqual([])
    expect(lostOf(line, told, 'Discoveries', edited)).toEqual([line])
    expect(lostOf(line, 'Mended it.', 'Discoveries', 0)).toEqual([line])
    expect(lostOf(line.replace('ttl', 'lru'), told, 'Discoveries', 0)).toHaveLength(1)
  })

  it('about a file that was only read since then still stands', () => {
    const read = factsOf(
      logFrom([human('Go.'), step('a', 'Read', { file_path: 'src/ttl.ts' }, 'export {}')]),
      {},
    )
    const line = '- Eviction in src/ttl.ts runs under the global lock of stores.'
    const previous = `## Discoveries\n${line}`
    const lost = fallenOut(previous, 'I read `ttl.ts`.', { facts: read, since: 0 })
    expect(lost.map((each) => each.line)).toEqual([line])
  })

  it('about a file whose name may be any word still stands', () => {
    const edit = (path: string) =>
      factsOf(
        logFrom([
          human('Go.'),
          step('a', 'Edit', { file_path: path, old_string: 'a', new_string: 'b' }, 'updated'),
        ]),
        {},
      )
    const lostWith = (path: string): number => {
      const previous = `## Discoveries\n- Eviction in ${path} runs under global locks of stores.`
      return fallenOut(previous, `Mended ${path}.`, { facts: edit(path), since: 0 }).length
    }
    expect(lostWith('src/a.c')).toBe(1)
    expect(lostWith('src/ab.c')).toBe(0)
    expect(lostWith('ab.c')).toBe(0)
  })
})

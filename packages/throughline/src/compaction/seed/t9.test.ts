import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf } from '../../log/steps.ts'
import { withPlugins } from '../../session/plugins/with-plugins.ts'
import { barePlaceholder } from '../prune/placeholder.ts'
import { presets } from '../presets.ts'
import { seedReplacements, seedTranscript, skipBoundary } from './seed.ts'
import { draftOf, type EntryOf } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import { plainCounter } from '../../testing/plain-counter.ts'

const pruned = (log: Chronological, tools: readonly string[] = ['skill']): string[] =>
  seedReplacements(unitsOf(contextOf(log).items), tools).map(({ ref }) => ref)

/** The seed's example: ten messages, user turns at 3 and 7 (counted from 0). */
const example = logFrom([
  human('0'),
  assistant([call('r', 'read_file')]),
  tool(result('r', 'read_file', 'text')),
  human('3'),
  assistant([call('s', 'skill')]),
  tool(result('s', 'skill', 'instructions')),
  assistant([call('e', 'edit_file')]),
  tool(result('e', 'edit_file', 'done')),
  human('8'),
  assistant('9'),
])

describe('T9, selective pruning', () => {
  it('prunes of the example message 2 alone', () => {
    const units = unitsOf(contextOf(example).items)
    expect(units[skipBoundary(units)]?.item.seq).toBe(4)
    expect(pruned(example)).toEqual(['3.0'])
  })

  it('puts the bare placeholder in place of the output', () => {
    const units = unitsOf(contextOf(example).items)
    const messages = seedTranscript({
      head: units,
      units,
      protectedTools: ['skill'],
      counter: plainCounter(() => 0),
    })
    expect(JSON.stringify(messages)).toContain(JSON.stringify(barePlaceholder))
    expect(barePlaceholder).toBe('<tool-output-compacted />')
    expect(messages).toHaveLength(10)
  })

  it('prunes nothing with fewer than two user turns, as its code has it', () => {
    const log = logFrom([human('go'), step('a', 'read', {}, 'x'), step('b', 'read', {}, 'y')])
    expect(pruned(log)).toEqual([])
  })

  it('counts no turn for a summary, which is no message, and one for a continue', () => {
    const behind = (continuation: EntryOf<'checkpoint'>['continuation']): Chronological =>
      logFrom([
        assistant('0'),
        {
          kind: 'checkpoint',
          at: 0,
          base: 1,
          summary: '## Goal',
          summarizer: 'local',
          tail: [],
          continuation,
          metadata: {},
        },
        step('a', 'read', {}, 'x'),
        human('1'),
        step('b', 'read', {}, 'y'),
        human('2'),
      ])
    expect(pruned(behind(null))).toEqual(['4.0'])
    const onlyOne = logFrom([...behind(null).slice(0, 4).map(draftOf), human('1')])
    expect(pruned(onlyOne)).toEqual([])
    const message = { role: 'user', content: 'continue' } as const
    const going = behind({
      kind: 'mid-task',
      message,
      metadata: { compaction_continue: true },
    })
    expect(pruned(logFrom([...going.slice(0, 4).map(draftOf), human('1')]))).toEqual([])
    expect(pruned(going)).toEqual(['4.0'])
  })

  it('leaves the two newest user turns alone, whatever the tool', () => {
    const log = logFrom([
      human('1'),
      step('a', 'read', {}, 'x'),
      human('2'),
      step('b', 'read', {}, 'y'),
    ])
    expect(pruned(log)).toEqual([])
  })
})

describe('T9, protected tools', () => {
  const old = (toolName: string): Chronological =>
    logFrom([human('1'), step('a', toolName, {}, 'x'), human('2'), human('3')])

  it('keeps skill, by its exact name', () => {
    expect(pruned(old('skill'))).toEqual([])
    expect(pruned(old('Skill'))).toEqual(['3.0'])
  })

  it('is extended by a plugin', () => {
    const policy = withPlugins(presets.default, [
      { name: 'memory', protectedTools: ['memory_store'] },
    ])
    expect(policy.protectedTools).toEqual(['skill', 'memory_store'])
    expect(pruned(old('memory_store'), policy.protectedTools)).toEqual([])
  })
})

describe('T9, failure modes', () => {
  it('FM-1: the newest output stays', () => {
    expect(pruned(example)).not.toContain('8.0')
  })

  it('FM-2: without a protected set the instructions would go', () => {
    const log = logFrom([human('1'), step('a', 'skill', {}, 'how to'), human('2'), human('3')])
    expect(pruned(log, [])).toEqual(['3.0'])
    expect(pruned(log)).toEqual([])
  })

  it('FM-3: two turns are skipped, not one', () => {
    const log = logFrom([
      human('1'),
      step('a', 'read', {}, 'old'),
      human('2'),
      step('b', 'read', {}, 'b'),
      step('c', 'read', {}, 'c'),
      human('3'),
    ])
    expect(pruned(log)).toEqual(['3.0'])
  })
})

import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
  type Drafts,
} from '../../testing/generate/build.ts'
import { advanceContext, contextOf, emptyContext } from './context.ts'
import { advanceHistory, historyOf } from '../history.ts'
import { readRef } from '../ref.ts'
import { waitsForSomeone } from '../open-calls.ts'
import { unitsOf } from '../steps.ts'
import { chronological, type Chronological } from '../order.ts'
import type { CheckpointDraft, EntryDraft, Ref, TailItem } from '../entry.ts'

const checkpoint = (
  base: number,
  tail: number[],
  extra: Partial<CheckpointDraft> = {},
): CheckpointDraft => ({
  kind: 'checkpoint',
  at: 0,
  base,
  summary: `summary of all to ${base}`,
  summarizer: 'local',
  tail: tail.map((seq): TailItem => ({ type: 'entry', seq })),
  continuation: null,
  metadata: {},
  ...extra,
})

/** Where each thing in the context came from; `s`, `g`, `c`, `p` for what is no message. */
const shape = (log: Chronological): (number | string)[] =>
  contextOf(log).items.map((item) => (item.type === 'message' ? item.seq : (item.type[0] ?? '')))

const turns = [
  human('u1'),
  assistant('a1'),
  human('u2'),
  assistant('a2'),
  human('u3'),
  assistant('a3'),
]

describe('the context', () => {
  it('is all messages where there was no compaction', () => {
    expect(shape(logFrom(turns))).toEqual([1, 2, 3, 4, 5, 6])
    expect(shape(chronological([]))).toEqual([])
  })

  it('is summary, kept tail, and what came after', () => {
    expect(shape(logFrom([...turns, checkpoint(6, [5, 6]), human('u4')]))).toEqual(['s', 5, 6, 8])
  })

  it('keeps a tail that begins inside a turn', () => {
    expect(shape(logFrom([...turns, checkpoint(6, [6]), human('u4')]))).toEqual(['s', 6, 8])
  })

  it('goes by the newest of several checkpoints', () => {
    const log = logFrom([
      ...turns,
      checkpoint(6, [5, 6]),
      human('u4'),
      checkpoint(8, [8]),
      assistant('a4'),
    ])
    expect(shape(log)).toEqual(['s', 8, 10])
  })

  it('is not changed by a failed attempt', () => {
    const failure: EntryDraft = {
      kind: 'observation',
      at: 0,
      observation: { type: 'failure', summarizer: 'm', problems: ['it was empty'] },
    }
    expect(shape(logFrom([...turns, failure]))).toEqual(shape(logFrom(turns)))
  })

  it('puts a late result behind its step, before what was said meanwhile', () => {
    const log = logFrom([
      human('go'),
      assistant([call('a', 'bash')]),
      human('are you there?'),
      tool(result('a', 'bash', 'done')),
    ])
    expect(shape(log)).toEqual([1, 2, 4, 3])
    expect(unitsOf(contextOf(log).items).map((unit) => unit.type)).toEqual([
      'human',
      'step',
      'human',
    ])
  })

  it('shows a result as text when the agent has gone on without it', () => {
    const log = logFrom([
      human('go'),
      assistant([call('a', 'bash')]),
      assistant('I go on'),
      tool(result('a', 'bash', 'done')),
    ])
    expect(shape(log)).toEqual([1, 2, 3, 'l'])
  })

  it('shows the second result of a call, and a result without a call, as text', () => {
    const log = logFrom([
      human('go'),
      step('a', 'bash', {}, 'done'),
      tool(result('a', 'bash', 'done again')),
      tool(result('x', 'bash', 'whose?')),
    ])
    expect(shape(log)).toEqual([1, 2, 3, 'l', 'l'])
  })

  it('takes a call id that is used again for the newer call', () => {
    const log = logFrom([
      human('go'),
      step('call_0', 'ls', {}, 'one'),
      step('call_0', 'ls', {}, 'two'),
    ])
    expect(unitsOf(contextOf(log).items).map((unit) => unit.type)).toEqual([
      'human',
      'step',
      'step',
    ])
  })

  it('replaces pruned parts and keeps the originals readable', () => {
    const log = logFrom([
      human('go'),
      step('a', 'read', { path: 'x' }, 'long text'),
      {
        kind: 'prune',
        at: 5,
        base: 3,
        replacements: [{ how: 'pruned', ref: '3.0', text: '<tool-output-compacted />' }],
        metadata: { time: { compacted: 5 } },
      },
    ])
    expect(JSON.stringify(contextOf(log).items)).not.toContain('long text')
    expect(readRef(log, '3.0')).toEqual(result('a', 'read', 'long text'))
    expect(contextOf(log).changedAt).toBe(4)
  })

  it('returns byte for byte to what it was when a checkpoint is undone', () => {
    const before = logFrom([...turns, human('u4')])
    const after = logFrom([
      ...turns,
      checkpoint(6, [6]),
      human('u4'),
      { kind: 'rewind', at: 0, to: 6, resume: 8 },
    ])
    const texts = (log: Chronological): string[] =>
      contextOf(log).items.map((item) =>
        item.type === 'message' ? JSON.stringify(item.message) : item.type,
      )
    expect(texts(after)).toEqual(texts(before))
  })

  it('goes back to an earlier state on a rewind, twice too', () => {
    const log = logFrom([
      ...turns,
      { kind: 'rewind', at: 0, to: 2 },
      human('another way'),
      { kind: 'rewind', at: 0, to: 6 },
    ])
    expect(shape(log)).toEqual([1, 2, 3, 4, 5, 6])
    expect(historyOf(log).entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('takes nothing into a tail that came after its checkpoint', () => {
    const log = logFrom([...turns, checkpoint(6, [6, 8]), human('u4')])
    expect(shape(log)).toEqual(shape(logFrom([...turns, checkpoint(6, [6]), human('u4')])))
  })

  it('shows the pin of a part that was pruned, and not that of one which stands there', () => {
    const prune: EntryDraft = {
      kind: 'prune',
      at: 0,
      base: 6,
      replacements: [{ how: 'pruned', ref: '4.0', text: '<tool-output-compacted />' }],
      metadata: {},
    }
    const pin = (ref: Ref): EntryDraft => ({ kind: 'pin', at: 0, text: 'the port is 8080', ref })
    expect(shape(logFrom([...turns, prune, pin('4.0')])).includes('p')).toBe(true)
    expect(shape(logFrom([...turns, prune, pin('4')])).includes('p')).toBe(true)
    expect(shape(logFrom([...turns, prune, pin('3.0')])).includes('p')).toBe(false)
  })

  it('shows a pin at once, and from the next summary on inside it', () => {
    const pinned: EntryDraft = { kind: 'pin', at: 0, text: 'never push' }
    const log = logFrom([...turns, pinned, checkpoint(7, [6])])
    expect(shape(logFrom([...turns, pinned]))).toEqual([1, 2, 3, 4, 5, 6, 'p'])
    expect(contextOf(log).items[0]).toMatchObject({ type: 'summary', pins: ['never push'] })
    const unpinned = logFrom([
      ...turns,
      pinned,
      { kind: 'unpin', at: 0, pin: 7 },
      checkpoint(8, [6]),
    ])
    expect(contextOf(unpinned).items[0]).toMatchObject({ pins: [] })
    expect(contextOf(unpinned).unpinned.map(({ text }) => text)).toEqual(['never push'])
  })

  it('is the same whether it is folded at once or entry by entry', () => {
    const log = logFrom([
      ...turns,
      checkpoint(6, [5, 6], {
        continuation: {
          kind: 'mid-task',
          message: { role: 'user', content: 'continue' },
          metadata: { compaction_continue: true },
        },
      }),
      harness('note'),
      step('a', 'read', {}, 'x'),
      { kind: 'rewind', at: 0, to: 6, resume: 8 },
      human('u4'),
    ])
    const stepwise = emptyContext()
    for (const entry of log) advanceContext(stepwise, log, entry.seq)
    expect(stepwise).toEqual(contextOf(log))
  })
})

/** Which messages are no longer behind what they were said behind. */
const kept = (log: Chronological): number[] =>
  contextOf(log).items.flatMap((item) => (item.type === 'message' && item.kept ? [item.seq] : []))

describe('reasoning that a provider bound to what stood before it', () => {
  const said = [human('u1'), assistant('a1'), human('u2'), assistant('a2')]

  it('is good where nothing has changed before it', () => {
    expect(kept(logFrom(said))).toEqual([])
    expect(kept(logFrom([...said, checkpoint(4, []), assistant('a3')]))).toEqual([])
  })

  it('is stale behind what was overwritten', () => {
    const note: EntryDraft = {
      kind: 'observation',
      at: 0,
      observation: { type: 'redaction', seqs: [1] },
    }
    expect(kept(logFrom([...said, note, assistant('a3')]))).toEqual([2, 4])
    expect(contextOf(logFrom([...said, note, assistant('a3')])).changedAt).toBe(5)
    const other: EntryDraft = {
      kind: 'observation',
      at: 0,
      observation: { type: 'calibration', ratio: 1 },
    }
    expect(kept(logFrom([...said, other]))).toEqual([])
    expect(contextOf(logFrom([...said, other])).changedAt).toBe(0)
  })

  it('stays stale when a rewind goes back to before the overwriting', () => {
    const note: EntryDraft = {
      kind: 'observation',
      at: 0,
      observation: { type: 'redaction', seqs: [1] },
    }
    const back: EntryDraft = { kind: 'rewind', at: 0, to: 4 }
    expect(kept(logFrom([...said, note, assistant('a3'), back]))).toEqual([2, 4])
    expect(kept(logFrom([...said, assistant('a3'), back]))).toEqual([])
    // What is overwritten after the rewind is the fold's to tell, once it comes.
    expect(kept(logFrom([...said, assistant('a3'), back, note]))).toEqual([2, 4])
  })

  it('is stale where it was said behind something that was taken back', () => {
    const undone: EntryDraft = { kind: 'rewind', at: 0, to: 4, resume: 6 }
    const log = logFrom([...said, checkpoint(4, [3, 4]), assistant('a3'), human('u3'), undone])
    expect(shape(log)).toEqual([1, 2, 3, 4, 6, 7])
    expect(kept(log)).toEqual([6])
  })

  it('is stale behind a late result and behind a pin that were put before it', () => {
    const asked = [human('go'), assistant([call('a', 'bash')])]
    const pin: EntryDraft = { kind: 'pin', at: 0, text: 'keep' }
    expect(kept(logFrom([...asked, pin]))).toEqual([2])
    expect(shape(logFrom([...asked, pin]))).toEqual([1, 'p', 2])
    const late = tool(result('nobody', 'bash', 'x'))
    expect(shape(logFrom([...asked, late]))).toEqual([1, 'l', 2])
    expect(contextOf(logFrom([...asked, late])).changedAt).toBe(3)
    expect(contextOf(logFrom([human('go'), late])).changedAt).toBe(0)
  })
})

describe('a step without reasoning, where a provider demands it', () => {
  const demanded: EntryDraft = {
    kind: 'observation',
    at: 0,
    observation: { type: 'reasoning', provider: 'demands' },
  }
  const told = (...drafts: Drafts[]) =>
    contextOf(logFrom([...drafts, demanded])).items.map((item) =>
      item.type === 'omission' ? item.text.slice(0, item.text.indexOf(';')) : item.type,
    )

  it('is left out, and what it said is told as a text where nobody has seen it yet', () => {
    const go = human('go')
    const one = step('a', 'read', {}, 'x')
    const two = step('b', 'read', {}, 'y')
    expect(told(go, one)).toEqual(['message', '[1 step is left out here, entries 2–3', 'late'])
    expect(told(go, one, two)).toEqual([
      'message',
      '[2 steps are left out here, entries 2–5',
      'late',
    ])
    expect(told(go, one, assistant('on'))).toEqual([
      'message',
      '[1 step is left out here, entries 2–3',
      'message',
    ])
  })

  it('stays where it holds reasoning, or calls nothing', () => {
    const thinks = assistant([{ type: 'reasoning', text: 'hm' }, call('a', 'read')])
    expect(told(human('go'), thinks, tool(result('a', 'read', 'x')), assistant('on'))).toEqual(
      Array.from({ length: 4 }, () => 'message'),
    )
  })

  it('is as it was before where what was refused is taken back, and the lesson is not forgotten', () => {
    const refused: EntryDraft = {
      ...demanded,
      observation: { type: 'reasoning', provider: 'refuses' },
    }
    const thinks = assistant([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'on' },
    ])
    const back: EntryDraft = { kind: 'rewind', at: 0, to: 2, resume: 4 }
    const log = logFrom([human('go'), thinks, checkpoint(2, [2]), refused, back])
    expect(kept(log)).toEqual([])
    expect(contextOf(log).reasoning).toEqual({ refused: true, demanded: false })
  })
})

describe('a context up to an entry', () => {
  const note: EntryDraft = {
    kind: 'observation',
    at: 0,
    observation: { type: 'redaction', seqs: [1] },
  }

  it('does not look ahead: to what is overwritten later, nor to later usage', () => {
    const usage = { inputTokens: 9, outputTokens: 1 }
    const said = [human('u1'), assistant('a1', { usage })]
    const log = logFrom([
      ...said,
      { kind: 'rewind', at: 0, to: 2 },
      note,
      assistant('a2', { usage }),
    ])
    const items = (upTo: number): boolean[] =>
      contextOf(log, upTo).items.map((item) => 'kept' in item)
    expect(items(3)).toEqual([false, false])
    expect(items(4)).toEqual([false, true])
    expect(contextOf(log, 1).measured).toBeUndefined()
    expect(contextOf(log, 2).measured?.seq).toBe(2)
    expect(contextOf(log, 4).measured).toBeUndefined()
    expect(contextOf(log).measured?.seq).toBe(5)
  })

  it('holds nothing of other observations against what a rewind brings back', () => {
    const other: EntryDraft = {
      kind: 'observation',
      at: 0,
      observation: { type: 'calibration', ratio: 1 },
    }
    const log = logFrom([human('u1'), assistant('a1'), other, { kind: 'rewind', at: 0, to: 2 }])
    expect(kept(log)).toEqual([])
  })

  it('marks the last of what was said behind a summary that was taken back', () => {
    const undone: EntryDraft = { kind: 'rewind', at: 0, to: 2, resume: 4 }
    const said = [human('u1'), assistant('a1')]
    expect(
      kept(logFrom([...said, checkpoint(2, [2]), human('u2'), assistant('a2'), undone])),
    ).toEqual([5])
  })

  it('hides from the history what is hidden, also behind a rewind', () => {
    const hidden = { ...human('made up'), origin: 'synthetic' } as EntryDraft
    const log = logFrom([human('u1'), hidden, { kind: 'rewind', at: 0, to: 2 }])
    expect(historyOf(log).entries.map(({ seq }) => seq)).toEqual([1])
  })

  it('puts the answer to an approval behind its step, and sees that a first message waits', () => {
    const asks = assistant([
      call('a', 'bash'),
      { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'a' },
    ])
    const answer = tool({
      type: 'tool-approval-response',
      approvalId: 'x',
      approved: true,
    } as never)
    expect(waitsForSomeone(contextOf(logFrom([asks])).items)).toBe(true)
    expect(waitsForSomeone(contextOf(logFrom([asks, answer])).items)).toBe(false)
    expect(shape(logFrom([asks, human('well?'), answer]))).toEqual([1, 3, 2])
  })
})

describe('a pin', () => {
  const prune: EntryDraft = {
    kind: 'prune',
    at: 0,
    base: 6,
    replacements: [{ how: 'pruned', ref: '1.1', text: '…' }],
    metadata: {},
  }
  const two = human([
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ])
  const pin = (ref?: Ref): EntryDraft => ({ kind: 'pin', at: 0, text: 'keep', ...(ref && { ref }) })
  const shown = (...drafts: EntryDraft[]): boolean => shape(logFrom(drafts)).includes('p')

  it('shows unless the part that it names stands there as it was first said', () => {
    expect(shown(two, pin())).toBe(true)
    expect(shown(two, pin('1'))).toBe(false)
    expect(shown(two, pin('1.0'))).toBe(false)
    expect(shown(two, prune, pin('1.0'))).toBe(false)
    expect(shown(two, prune, pin('1.1'))).toBe(true)
    expect(shown(two, prune, pin('1'))).toBe(true)
    const both = {
      ...prune,
      replacements: [...prune.replacements, { how: 'pruned', ref: '1.0', text: '…' }],
    } as EntryDraft
    expect(shown(two, both, pin('1.1'))).toBe(true)
    expect(shown(two, pin('2'))).toBe(true)
    expect(shown(two, checkpoint(1, []), pin('1'))).toBe(true)
  })

  it('is taken back once, and one that was never made not at all', () => {
    const unpin = (seq: number): EntryDraft => ({ kind: 'unpin', at: 0, pin: seq })
    const context = contextOf(logFrom([two, pin(), unpin(2), unpin(2), unpin(9)]))
    expect([...context.pins.keys()]).toEqual([])
    expect(context.unpinned.map(({ seq }) => seq)).toEqual([2])
    const back = contextOf(logFrom([two, pin(), unpin(2), { kind: 'rewind', at: 0, to: 2 }]))
    expect([...back.pins.keys()]).toEqual([2])
    expect(back.unpinned).toEqual([])
  })
})

describe('a fold', () => {
  it('goes as far as it was asked to, and on from there', () => {
    const log = logFrom([...turns, checkpoint(6, [5, 6]), human('u4')])
    expect(contextOf(log, 6)).toEqual(contextOf(logFrom(turns)))
    expect(contextOf(log, 6).seq).toBe(6)
    const context = contextOf(log, 3)
    expect(advanceContext(context, log)).toBe(context)
    expect(context).toEqual(contextOf(log))
    expect(contextOf(log)).toMatchObject({ seq: 8, changedAt: 7, checkpoint: { seq: 7 } })
  })

  it('of the history does the same, and forgets what is taken back', () => {
    const log = logFrom([...turns, { kind: 'rewind', at: 0, to: 2 }, human('u4')])
    const seqs = (upTo?: number): number[] => historyOf(log, upTo).entries.map(({ seq }) => seq)
    expect(seqs(4)).toEqual([1, 2, 3, 4])
    expect(seqs(7)).toEqual([1, 2])
    expect(seqs()).toEqual([1, 2, 8])
    const history = historyOf(log, 4)
    expect(history.seq).toBe(4)
    expect(advanceHistory(history, log)).toEqual(historyOf(log))
    expect(history.rewinds).toHaveLength(1)
  })
})

describe('the history', () => {
  it('is chronological and hides what the engine made up', () => {
    const log = logFrom([
      ...turns,
      {
        ...human('continue'),
        origin: 'synthetic',
        metadata: { compaction_continue: true },
      } as EntryDraft,
      checkpoint(7, [5, 6]),
      human('u4'),
    ])
    expect(historyOf(log).entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 9])
    const marked = { ...human('continue'), metadata: { compaction_continue: true } } as EntryDraft
    const made = { ...human('made up'), origin: 'synthetic' } as EntryDraft
    const other = { ...human('said'), metadata: { compaction_continue: false } } as EntryDraft
    const seen = historyOf(logFrom([marked, made, other, harness('reminder')])).entries
    expect(seen.map(({ seq }) => seq)).toEqual([3, 4])
  })
})

describe('a ref', () => {
  it('says what it was given when the session has no such thing', () => {
    const log = logFrom(turns)
    for (const ref of ['99', 'x', '-1', '1.', '']) {
      expect(() => readRef(log, ref)).toThrow(/seqs run from 1 to 6/)
    }
    expect(() => readRef(log, '1.7')).toThrow(/the parts of this entry are 0 to 0/)
  })
})

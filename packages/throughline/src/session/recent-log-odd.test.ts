import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advanceContext, contextOf, emptyContext } from '../log/context/context.ts'
import { chronological } from '../log/order.ts'
import { memoryStore } from '../stores/memory.ts'
import {
  assistant,
  call,
  human,
  result,
  step,
  tool,
  type Drafts,
} from '../testing/generate/build.ts'
import { arbitraryOddLog } from '../testing/generate/odd-log.ts'
import { runs } from '../testing/generate/runs.ts'
import { illegalities } from '../testing/legal.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { readRecentLog } from './recent-log.ts'
import type { Context } from '../log/context/context.ts'
import type { CheckpointDraft, EntryDraft, Ref, Seq, TailItem } from '../log/entry.ts'

function checkpoint(base: Seq, ...tail: (Seq | TailItem)[]): CheckpointDraft {
  return {
    kind: 'checkpoint',
    at: 0,
    base,
    summary: 'what came before',
    summarizer: 'another harness',
    tail: tail.map((item) => (typeof item === 'number' ? { type: 'entry', seq: item } : item)),
    continuation: null,
    metadata: {},
  }
}

function pin(text: string, ref?: Ref): EntryDraft {
  return { kind: 'pin', at: 0, text, ...(ref && { ref }) }
}

function rewind(to: Seq, resume?: Seq): EntryDraft {
  return { kind: 'rewind', at: 0, to, ...(resume !== undefined && { resume }) }
}

function prune(base: Seq, ref: Ref): EntryDraft {
  const replacements = [{ how: 'pruned', ref, text: 'gone' }] as const
  return { kind: 'prune', at: 0, base, replacements: [...replacements], metadata: {} }
}

const flat = (drafts: readonly Drafts[]): EntryDraft[] =>
  drafts.flatMap((draft) => ('kind' in draft ? [draft] : flat(draft)))

/**
 * The context of the whole log: legal, and the same whether it is folded entry by entry, at once,
 * or from the recent log.
 */
async function contextOfBoth(...drafts: Drafts[]): Promise<Context> {
  const store = memoryStore()
  const live = emptyContext()
  for (const draft of flat(drafts)) {
    await store.append('a', [draft])
    const log = chronological(await store.read('a'))
    const whole = contextOf(log)
    expect(advanceContext(live, log)).toEqual(whole)
    expect(contextOf(chronological(await readRecentLog(store, 'a', 3)))).toEqual(whole)
    const { messages } = renderContext(whole.items, summaryAsUser)
    expect(illegalities(messages)).toEqual([])
  }
  return live
}

const seqs = ({ items }: Context): Seq[] => items.map(({ seq }) => seq)

describe('the recent log gives the context of the whole log', () => {
  test('whatever a log holds', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryOddLog, async (drafts) => {
        await contextOfBoth(drafts)
      }),
      runs(400),
    )
  })

  test('where a result came while its step was summarized', async () => {
    const said = [human('1'), assistant([call('a', 'read'), call('b', 'read')]), human('3')]
    await contextOfBoth(said, tool(result('a', 'read', 'x')), checkpoint(3))
    await contextOfBoth(said, human('4'), tool(result('a', 'read', 'x')), checkpoint(3))
    await contextOfBoth(said, human('4'), tool(result('a', 'read', 'x')), checkpoint(3, 2))
  })

  test('where a late result belongs to a step that a checkpoint brings back', async () => {
    await contextOfBoth(
      human('1'),
      assistant([call('a', 'read')]),
      assistant('3'),
      tool(result('a', 'read', 'x')),
      checkpoint(3, 2),
    )
  })

  test('where a part was pinned while it was summarized', async () => {
    const context = await contextOfBoth(human('1'), human('2'), pin('1', '1.0'), checkpoint(2))
    expect(seqs(context)).toEqual([4])
  })

  test('where a checkpoint knew nothing of another view change', async () => {
    const work = step('a', 'read', {}, 'x'.repeat(99))
    await contextOfBoth(
      human('1'),
      work,
      human('4'),
      checkpoint(4, 1),
      human('6'),
      checkpoint(2, 2),
    )
    await contextOfBoth(
      human('1'),
      work,
      human('4'),
      prune(4, '3.0'),
      human('6'),
      checkpoint(2, 2, 3),
    )
    await contextOfBoth(human('1'), work, rewind(1), human('5'), checkpoint(3, 2))
  })

  test('where a tail names what comes later, what is no message, and what it named before', async () => {
    const tail = [2, 3, 2, 3, 4, 9, 0, -1, 0.5, 99]
    const work = step('a', 'read', {}, 'x')
    const drafts = [human('1'), work, pin('kept'), checkpoint(99, ...tail), human('6'), human('7')]
    expect(seqs(await contextOfBoth(drafts))).toEqual([5, 2, 3, 6, 7])
  })

  test('where a text was to stand in the place of a call', async () => {
    await contextOfBoth(
      assistant([call('a', 'read')]),
      tool(result('a', 'read', 'x')),
      prune(2, '1.0'),
    )
  })

  test('where a base is from before the beginning', async () => {
    await contextOfBoth(human('1'), human('2'), checkpoint(-5), human('4'))
    await contextOfBoth(human('1'), human('2'), checkpoint(0, 1), human('4'))
  })

  test('where a tail names what was rewound', async () => {
    const drafts = [human('1'), human('2'), rewind(1), human('4'), checkpoint(4, 2, 4), human('6')]
    expect(seqs(await contextOfBoth(drafts))).toEqual([5, 2, 4, 6])
  })

  test('where rewinds go into rewinds', async () => {
    const drafts = [
      human('1'),
      human('2'),
      checkpoint(2, 1),
      human('4'),
      rewind(2, 4),
      checkpoint(5, 4),
      rewind(3),
      human('8'),
      rewind(6),
      rewind(7, 10),
      rewind(8, 9),
    ]
    await contextOfBoth(drafts)
  })

  test('where a pin names what the tail clips, and is taken back', async () => {
    const clipped: TailItem = {
      type: 'entry',
      seq: 1,
      replacements: [{ how: 'clipped', ref: '1.0', text: '…' }],
    }
    const drafts = [human('1'), checkpoint(1, clipped), pin('1', '1.0'), pin('1', '1')]
    const unpin: EntryDraft = { kind: 'unpin', at: 0, pin: 3 }
    await contextOfBoth(drafts, unpin, human('6'), checkpoint(6, 6))
    await contextOfBoth(drafts, human('5'), rewind(3, 5), checkpoint(5, 1))
  })
})

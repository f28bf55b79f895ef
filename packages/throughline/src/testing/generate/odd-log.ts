import fc from 'fast-check'
import { assistant, harness, human, result, tool } from './build.ts'
import type { EntryDraft, Ref, Replacement, TailItem } from '../../log/entry.ts'
import type { ToolCallPart } from '../../log/message.ts'

// So small that entries name each other, and things that are not there.
const longest = 24

const arbitrarySeq = fc.integer({ min: -1, max: longest + 2 })
const arbitraryId = fc.constantFrom('a', 'b', 'c')
const arbitraryCall = fc
  .tuple(arbitraryId, fc.integer({ max: 5, min: 0 }))
  .map(([toolCallId, kind]): ToolCallPart => {
    const call = { type: 'tool-call', toolCallId, toolName: 'read', input: {} } as const
    return kind === 0 ? { ...call, providerExecuted: true } : call
  })
const arbitraryRef = fc
  .tuple(fc.integer({ min: 1, max: longest }), fc.option(fc.nat(2), { nil: undefined }))
  .map(([seq, part]): Ref => (part === undefined ? `${seq}` : `${seq}.${part}`))

const arbitraryReplacement = fc.oneof(
  arbitraryRef.map((ref): Replacement => ({ how: 'pruned', ref, text: `pruned ${ref}` })),
  arbitraryRef.map((ref): Replacement => ({ how: 'clipped', ref, input: { clipped: true } })),
)

const arbitraryTailItem: fc.Arbitrary<TailItem> = fc.oneof(
  { weight: 6, arbitrary: arbitrarySeq.map((seq): TailItem => ({ type: 'entry', seq })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(arbitrarySeq, fc.array(arbitraryReplacement, { maxLength: 2 }))
      .map(([seq, replacements]): TailItem => ({ type: 'entry', seq, replacements })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<TailItem>({ type: 'omission', from: 1, to: 2, text: 'left out' }),
  },
)

const arbitraryEntry: fc.Arbitrary<EntryDraft> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(human('said')) },
  { weight: 1, arbitrary: fc.constant(harness('a reminder')) },
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(arbitraryCall, { maxLength: 3, selector: ({ toolCallId }) => toolCallId })
      .map((calls) => assistant(calls)),
  },
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(arbitraryId, { minLength: 1, maxLength: 2 })
      .map((ids) => tool(...ids.map((id) => result(id, 'read', 'read')))),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ base: arbitrarySeq, tail: fc.array(arbitraryTailItem, { maxLength: 6 }) })
      .map(({ base, tail }): EntryDraft => ({
        kind: 'checkpoint',
        at: 0,
        base,
        summary: 'a summary',
        summarizer: 'another harness',
        tail,
        continuation: null,
        metadata: {},
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        base: arbitrarySeq,
        replacements: fc.array(arbitraryReplacement, { maxLength: 3 }),
      })
      .map((draft): EntryDraft => ({ kind: 'prune', at: 0, ...draft, metadata: {} })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(arbitrarySeq, fc.option(arbitrarySeq, { nil: undefined }))
      .map(([to, resume]): EntryDraft => ({
        kind: 'rewind',
        at: 0,
        to,
        ...(resume !== undefined && { resume }),
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .option(arbitraryRef, { nil: undefined })
      .map((ref): EntryDraft => ({ kind: 'pin', at: 0, text: 'pinned', ...(ref && { ref }) })),
  },
  { weight: 1, arbitrary: arbitrarySeq.map((pin): EntryDraft => ({ kind: 'unpin', at: 0, pin })) },
)

/**
 * Logs that no engine would write but a file can contain: results before and without their calls,
 * calls with the same id, and checkpoints, prunes, pins and rewinds that name rewound, later or
 * missing entries.
 */
export const arbitraryOddLog: fc.Arbitrary<EntryDraft[]> = fc.array(arbitraryEntry, {
  minLength: 1,
  maxLength: longest,
})

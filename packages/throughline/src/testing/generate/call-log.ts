import fc from 'fast-check'
import { assistant, harness, human, result, tool } from './build.ts'
import type { EntryDraft, TailItem } from '../../log/entry.ts'
import type { AssistantPart, ToolPart } from '../../log/message.ts'

/** What happens to the calls of a session; `share` says which of those that there are. */
type Event =
  | { does: 'step'; text: boolean; calls: Call[]; cut: boolean }
  | { does: 'answer' | 'approve' | 'deny'; share: number; beside: number | undefined }
  | { does: 'say' | 'remind' | 'pin' | 'redact' }
  | { does: 'rewind' | 'undo' | 'prune' | 'checkpoint'; share: number }

interface Call {
  providerExecuted: boolean
  asks: boolean
  answeredWithin: boolean
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
/** Mostly of the newest. */
const recent = share.map((number) => Math.sqrt(Math.sqrt(number)))

const arbitraryCall: fc.Arbitrary<Call> = fc.record({
  providerExecuted: fc.boolean(),
  asks: fc.boolean(),
  answeredWithin: fc.boolean(),
})

const arbitraryEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('step' as const),
      text: fc.boolean(),
      calls: fc.array(arbitraryCall, { maxLength: 3 }),
      cut: fc.boolean(),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'answer' as const,
        'answer' as const,
        'approve' as const,
        'deny' as const,
      ),
      share: recent,
      beside: fc.option(recent, { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'say' as const,
        'say' as const,
        'remind' as const,
        'pin' as const,
        'redact' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'rewind' as const,
        'undo' as const,
        'prune' as const,
        'checkpoint' as const,
      ),
      share: recent,
    }),
  },
)

/**
 * Logs about calls and what becomes of them: in parallel, of the provider, with approvals given,
 * refused and never answered; results in time, late, twice and of calls that nobody made; steps
 * broken off; and all of it under rewinds, prunes and checkpoints.
 */
export function arbitraryCallLog(): fc.Arbitrary<EntryDraft[]> {
  return fc.array(arbitraryEvent, { minLength: 1, maxLength: 30 }).map((events) => {
    const drafts: EntryDraft[] = [human('go')]
    const calls: string[] = []
    for (const event of events) drafts.push(draftOf(event, drafts, calls))
    return drafts
  })
}

function draftOf(event: Event, drafts: readonly EntryDraft[], calls: string[]): EntryDraft {
  switch (event.does) {
    case 'step':
      return stepOf(event, calls)
    case 'answer':
    case 'approve':
    case 'deny': {
      const ids = [event.share, event.beside].flatMap((which) =>
        which === undefined ? [] : [calls[Math.floor(which * calls.length)] ?? 'unknown'],
      )
      return tool(...ids.map((id) => answerTo(id, event.does) as never))
    }
    case 'say':
      return human('are you there?')
    case 'remind':
      return harness('a reminder')
    case 'pin':
      return { kind: 'pin', at: 0, text: 'keep this' }
    case 'redact':
      return { kind: 'observation', at: 0, observation: { type: 'redaction', seqs: [1] } }
    case 'rewind':
      return { kind: 'rewind', at: 0, to: Math.floor(event.share * drafts.length) }
    case 'undo': {
      const undone = drafts.findLastIndex(({ kind }) => kind === 'checkpoint') + 1
      return { kind: 'rewind', at: 0, to: undone - 1, resume: undone + 1 }
    }
    case 'prune':
      return {
        kind: 'prune',
        at: 0,
        base: drafts.length,
        replacements: [
          { how: 'pruned', ref: `${Math.ceil(event.share * drafts.length)}.0`, text: '…' },
        ],
        metadata: {},
      }
    case 'checkpoint':
      return checkpointOver(drafts, event.share)
  }
}

function stepOf({ text, calls, cut }: Event & { does: 'step' }, ids: string[]): EntryDraft {
  const parts: AssistantPart[] = text ? [{ type: 'text', text: 'I call' }] : []
  for (const { providerExecuted, asks, answeredWithin } of calls) {
    const id = `c${ids.length}`
    ids.push(id)
    const own = providerExecuted ? { providerExecuted } : {}
    parts.push({ type: 'tool-call', toolCallId: id, toolName: 'Read', input: {}, ...own })
    if (asks) parts.push({ type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id })
    if (providerExecuted && answeredWithin) parts.push(result(id, 'Read', 'by the provider'))
  }
  return assistant(parts, cut ? { finish: 'aborted' } : {})
}

function answerTo(id: string, how: 'answer' | 'approve' | 'deny'): ToolPart {
  if (how === 'answer') return result(id, 'Read', `of ${id}`)
  return { type: 'tool-approval-response', approvalId: `ask-${id}`, approved: how === 'approve' }
}

/** Keeps some of the newest messages, in steps or not: a log may say anything. */
function checkpointOver(drafts: readonly EntryDraft[], from: number): EntryDraft {
  const first = Math.floor(from * drafts.length)
  const tail = drafts.flatMap(({ kind }, index): TailItem[] =>
    kind === 'message' && index >= first ? [{ type: 'entry', seq: index + 1 }] : [],
  )
  return {
    kind: 'checkpoint',
    at: 0,
    base: drafts.length,
    summary: 'what was',
    summarizer: 'local',
    tail,
    continuation: null,
    metadata: {},
  }
}

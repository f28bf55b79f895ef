import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import { full } from '../../testing/generate/runs.ts'
import { planInputFor } from '../../session/once/plan-input.ts'
import { contextOf } from '../../log/context/context.ts'
import { checkpointItems } from '../../log/context/items-of.ts'
import { partsOf, type Message as LogMessage, type UserPart } from '../../log/message.ts'
import { unitsOf } from '../../log/steps.ts'
import { planCompaction } from '../plan/plan-compaction.ts'
import { presets } from '../presets.ts'
import type { EntryDraft, Metadata } from '../../log/entry.ts'

/*
 * The seeds' pseudo-code, read once more and as it stands, in its own shape of a message: it
 * knows nothing of the engine. T9's recipe, T8's walk and T11's branches, one after the other.
 */
interface Block {
  type: 'text' | 'image'
  text?: string
}

interface Message {
  /** Which message of the session this is; the seeds carry it along like any field. */
  id: number
  role: 'user' | 'assistant' | 'tool'
  content: string | Block[]
  metadata?: { toolName?: string; time?: { compacted?: number }; [key: string]: unknown }
}

const PROTECTED_TOOLS = new Set(['skill'])
const now = 1_234

function pruneToolOutputs(messages: Message[]): Message[] {
  let userTurnCount = 0
  let skipBoundary = 0
  for (let i = messages.length - 1; i >= 0; i--) {
    if (messages[i]?.role === 'user') {
      userTurnCount++
      if (userTurnCount >= 2) {
        skipBoundary = i
        break
      }
    }
  }
  return messages.map((msg, idx) => {
    if (idx >= skipBoundary) return msg
    if (msg.role !== 'tool') return msg
    if (PROTECTED_TOOLS.has(msg.metadata?.toolName ?? '')) return msg
    return {
      ...msg,
      content: '<tool-output-compacted />',
      metadata: { ...msg.metadata, time: { ...msg.metadata?.time, compacted: now } },
    }
  })
}

function splitHeadTail(
  messages: Message[],
  usable: number,
  estimateTokens: (message: Message) => number,
): { head: Message[]; tail: Message[] } {
  const tailBudget = Math.min(8_000, Math.max(2_000, Math.floor(usable * 0.25)))
  const tail: Message[] = []
  let accumulated = 0
  let splitIdx = 0
  for (let i = messages.length - 1; i >= 0; i--) {
    const msg = messages[i] as Message
    tail.unshift(msg)
    accumulated += estimateTokens(msg)
    if (accumulated >= tailBudget && tail.length >= 2) {
      splitIdx = i
      break
    }
  }
  return { head: messages.slice(0, splitIdx), tail }
}

type Said = Pick<Message, 'content' | 'metadata'>

function buildContinuation(messagesBeforeCompact: Message[]): Said {
  const lastUser = messagesBeforeCompact.findLast((m) => m.role === 'user')
  if (!lastUser) return { content: 'continue', metadata: { compaction_continue: true } }
  if (typeof lastUser.content !== 'string' && lastUser.content.some((b) => b.type === 'image')) {
    const description = lastUser.content
      .filter((block) => block.type !== 'image')
      .map((block) => block.text ?? '')
      .join(' ')
      .trim()
    return {
      content: description
        ? `[Continuing from compaction] ${description}`
        : '[Continuing task — previous message contained media attachments]',
      metadata: { compaction_continue: true, had_media: true },
    }
  }
  const answered = messagesBeforeCompact
    .slice(messagesBeforeCompact.lastIndexOf(lastUser) + 1)
    .some((m) => m.role === 'assistant')
  if (!answered) {
    return {
      content: lastUser.content,
      metadata: { ...lastUser.metadata, compaction_continue: true },
    }
  }
  return { content: 'continue', metadata: { compaction_continue: true } }
}

/* Sessions, said once for the engine and once for the reading above. */

const words = (tokens: number): string => 'word '.repeat(tokens)
const image: UserPart = { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' }
const pdf: UserPart = { type: 'file', data: 'aGVsbG8=', mediaType: 'application/pdf' }

const arbitraryMove = fc.oneof(
  fc.record({
    say: fc.constantFrom('asks', 'shows', 'shows a file', 'shows alone'),
    tokens: fc.nat(900),
    metadata: fc.option(fc.record({ from: fc.string({ maxLength: 4 }) }), { nil: undefined }),
  }),
  fc.record({ say: fc.constant('answers'), tokens: fc.nat(2_000) }),
  fc.record({
    say: fc.constantFrom('read', 'bash', 'skill', 'Skill'),
    tokens: fc.oneof(fc.nat(600), fc.nat(9_000)),
  }),
)
type Move = typeof arbitraryMove extends fc.Arbitrary<infer Value> ? Value : never

function draftsOf(move: Move, index: number): EntryDraft[] {
  const text = `${index} ${words(move.tokens)}`
  const metadata = 'metadata' in move && move.metadata ? { metadata: move.metadata } : {}
  const between: UserPart[] = [{ type: 'text', text: 'what' }, image, { type: 'text', text }]
  switch (move.say) {
    case 'asks':
      return [human(text, metadata)]
    case 'shows':
      return [human(between, metadata)]
    case 'shows a file':
      return [human([pdf, { type: 'text', text }], metadata)]
    case 'shows alone':
      return [human([image], metadata)]
    case 'answers':
      return [assistant(text)]
    default: {
      const id = `call-${index}`
      return [assistant([call(id, move.say)]), tool(result(id, move.say, text))]
    }
  }
}

function asTheSeedsSee(draft: EntryDraft, index: number): Message {
  if (draft.kind !== 'message') throw new Error('sessions are made of messages')
  const { message } = draft
  const role = message.role === 'system' ? 'user' : message.role
  const toolName =
    message.role === 'tool' && message.content[0]?.type === 'tool-result'
      ? { toolName: message.content[0].toolName }
      : {}
  const content =
    role !== 'user' || typeof message.content === 'string'
      ? typeof message.content === 'string'
        ? message.content
        : ''
      : partsOf(message).map((part): Block =>
          part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image' },
        )
  const metadata: Metadata = { ...draft.metadata, ...toolName }
  return { id: index + 1, role, content, ...(Object.keys(metadata).length > 0 && { metadata }) }
}

const contentOf = ({ content }: LogMessage): string | Block[] =>
  typeof content === 'string'
    ? content
    : partsOf({ role: 'user', content } as LogMessage).map((part): Block =>
        part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image' },
      )

describe('presets.seed does as the seeds say', () => {
  it('in every session: the same tail, the same outputs pruned, the same continuation', () => {
    const met = { compacted: 0, unchanged: 0, 'pruned in the tail': 0 }
    fc.assert(
      fc.property(
        fc.array(arbitraryMove, { minLength: 2, maxLength: 24 }),
        fc.constantFrom(8_000, 16_000, 32_000, 60_000, 200_000),
        (moves, context) => {
          const drafts = moves.flatMap(draftsOf)
          const log = logFrom(drafts)
          const input = planInputFor(log, {
            window: { context },
            policy: presets.seed,
            trigger: 'manual',
          })
          const { counter } = input
          const plan = planCompaction(input)
          const before = drafts.map(asTheSeedsSee)
          const pruned = pruneToolOutputs(before)
          const sizeOf = (message: Message): number => {
            const entry = log[message.id - 1]
            if (entry?.kind !== 'message') return 0
            const isPruned = message.metadata?.time?.compacted !== undefined
            const original = entry.message
            if (!isPruned || original.role !== 'tool') return counter.message(original)
            const part = original.content[0]
            if (part?.type !== 'tool-result') return 0
            const output = { type: 'text', value: message.content as string } as const
            return counter.message({ ...original, content: [{ ...part, output }] })
          }
          const { head, tail } = splitHeadTail(pruned, plan.budget.usable, sizeOf)
          // What no provider would take: a result is not parted from its call.
          if (tail[0]?.role === 'tool' && head.length > 0) tail.unshift(head.pop() as Message)

          if (head.length === 0) {
            met.unchanged += 1
            expect(plan).toMatchObject({ action: 'none', reason: 'nothing-to-compact' })
            return
          }
          met.compacted += 1
          if (plan.action !== 'summarize') throw new Error(`it was to ${plan.action}`)
          const { cut } = plan
          const draft = {
            kind: 'checkpoint',
            at: now,
            base: log.length,
            seq: log.length + 1,
            summary: '',
            summarizer: '',
            tail: cut.tail,
            continuation: cut.continuation,
            metadata: {},
          } as const
          const items = checkpointItems(contextOf(log), draft, log).filter(
            (item) => item.type === 'message',
          )
          expect(items.map(({ seq }) => seq)).toEqual(tail.map(({ id }) => id))
          const compacted = items
            .filter(({ metadata }) => metadata?.time?.compacted === now)
            .map(({ seq }) => seq)
          const expected = tail.filter(({ metadata }) => metadata?.time?.compacted === now)
          expect(compacted).toEqual(expected.map(({ id }) => id))
          met['pruned in the tail'] += compacted.length
          for (const { message, metadata } of items) {
            if (metadata?.time?.compacted === undefined) continue
            expect(JSON.stringify(message)).toContain('"<tool-output-compacted />"')
          }
          const read = presets.seed.transcript({
            head: cut.head,
            units: unitsOf(input.context.items),
            protectedTools: ['skill'],
            counter,
          })
          const placeholders = JSON.stringify(read).split('"<tool-output-compacted />"').length - 1
          expect(read).toHaveLength(head.length)
          expect(placeholders).toBe(
            head.filter(({ metadata }) => metadata?.time?.compacted === now).length,
          )
          const continuation = buildContinuation(before)
          expect(cut.continuation?.metadata).toEqual(continuation.metadata)
          expect(contentOf(cut.continuation?.message as LogMessage)).toEqual(continuation.content)
        },
      ),
      { numRuns: full ? 20_000 : 1_500 },
    )
    expect(met.compacted).toBeGreaterThan(300)
    expect(met.unchanged).toBeGreaterThan(30)
    expect(met['pruned in the tail']).toBeGreaterThan(100)
  })
})

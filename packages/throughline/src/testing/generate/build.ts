import { chronological, type Chronological } from '../../log/order.ts'
import type { Entry, EntryDraft, MessageDraft } from '../../log/entry.ts'
import type { AssistantPart, ToolOutput, ToolResultPart, UserPart } from '../../log/message.ts'

/** Short ways to write logs in tests. */
export function human(content: string | UserPart[], extra: Partial<MessageDraft> = {}): EntryDraft {
  return { kind: 'message', at: 0, origin: 'human', message: { role: 'user', content }, ...extra }
}

export function harness(content: string): EntryDraft {
  return { kind: 'message', at: 0, origin: 'harness', message: { role: 'user', content } }
}

export function assistant(
  content: string | AssistantPart[],
  extra: Partial<MessageDraft> = {},
): EntryDraft {
  const calls = typeof content !== 'string' && content.some((part) => part.type === 'tool-call')
  return {
    kind: 'message',
    at: 0,
    origin: 'model',
    finish: calls ? 'tool-calls' : 'stop',
    message: { role: 'assistant', content },
    ...extra,
  }
}

export function call(toolCallId: string, toolName: string, input: unknown = {}): AssistantPart {
  return { type: 'tool-call', toolCallId, toolName, input }
}

export function result(
  toolCallId: string,
  toolName: string,
  output: string | ToolOutput,
): ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output: typeof output === 'string' ? { type: 'text', value: output } : output,
  }
}

export function tool(...content: ToolResultPart[]): EntryDraft {
  return { kind: 'message', at: 0, origin: 'tool', message: { role: 'tool', content } }
}

/** A step with one call and its result. */
export function step(id: string, toolName: string, input: unknown, output: string): EntryDraft[] {
  return [assistant([call(id, toolName, input)]), tool(result(id, toolName, output))]
}

/** Drafts, grouped in any way. */
export type Drafts = EntryDraft | readonly Drafts[]

/** Drafts as a log, with the seqs that a store would give. */
export function logFrom(drafts: readonly Drafts[]): Chronological {
  return chronological(
    flat(drafts).map((draft, index): Entry => ({ ...placed(draft, index), seq: index + 1 })),
  )
}

/** The base of a checkpoint, whatever comes before it. */
export const baseBefore = -1

/** A draft for the position after `newest`, if its base is open. */
export function placed(draft: EntryDraft, newest: number): EntryDraft {
  return draft.kind === 'checkpoint' && draft.base === baseBefore
    ? { ...draft, base: newest }
    : draft
}

function flat(drafts: readonly Drafts[]): EntryDraft[] {
  return drafts.flatMap((draft) => (isList(draft) ? flat(draft) : [draft]))
}

function isList(draft: Drafts): draft is readonly Drafts[] {
  return Array.isArray(draft)
}

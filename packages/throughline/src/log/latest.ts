import type { EntryOf, Seq } from './entry.ts'
import type { Chronological } from './order.ts'
import type { ToolCallPart } from './message.ts'

/** The newest state of a session, by seq. */
export interface Latest {
  human: EntryOf<'message'> | undefined
  assistant: EntryOf<'message'> | undefined
  /** The newest assistant message that ended by itself. */
  finished: EntryOf<'message'> | undefined
  /** Calls of the newest assistant message that have no result yet. */
  pending: { seq: Seq; call: ToolCallPart }[]
}

/**
 * Finds the newest human message, assistant message, finished assistant message
 * and pending calls in one pass. It takes only a log: an array in the model's order
 * has old messages behind new ones, and reading it as time is how a session is
 * compacted twice.
 * @example
 * latest(chronological(entries)).human?.seq
 */
export function latest(log: Chronological): Latest {
  const found: Latest = { human: undefined, assistant: undefined, finished: undefined, pending: [] }
  for (const entry of log) {
    if (entry.kind !== 'message') continue
    const { message } = entry
    if (entry.origin === 'human' && message.role === 'user') found.human = entry
    if (message.role === 'assistant') {
      found.assistant = entry
      if (entry.finish === 'stop' || entry.finish === 'tool-calls') found.finished = entry
      found.pending = openCalls(entry)
    }
    if (message.role === 'tool') {
      const answered = new Set(
        message.content.map((part) => (part.type === 'tool-result' ? part.toolCallId : '')),
      )
      found.pending = found.pending.filter(({ call }) => !answered.has(call.toolCallId))
    }
  }
  return found
}

function openCalls(entry: EntryOf<'message'>): Latest['pending'] {
  const { content } = entry.message
  if (typeof content === 'string') return []
  const answered = new Set<string>()
  const calls: ToolCallPart[] = []
  for (const part of content) {
    if (part.type === 'tool-call') calls.push(part)
    if (part.type === 'tool-result') answered.add(part.toolCallId)
  }
  return calls
    .filter((call) => !answered.has(call.toolCallId))
    .map((call) => ({ seq: entry.seq, call }))
}

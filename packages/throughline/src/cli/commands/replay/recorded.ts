import type { EntryOf, FinishReason, MessageDraft, Seq } from '../../../log/entry.ts'
import type { AssistantMessage, ToolMessage } from '../../../log/message.ts'
import type { Chronological } from '../../../log/order.ts'

/** The events of a session, in the pieces in which it is replayed. */
export type Recorded = RecordedStep | RecordedMessage | RecordedRewind

/** The model's answer, with the results of its calls. */
export interface RecordedStep {
  type: 'step'
  at: number
  messages: (AssistantMessage | ToolMessage)[]
  finish: FinishReason
  /** The entries of the messages. */
  seqs: Seq[]
}

/** A message from the human or the harness, or a late result. */
interface RecordedMessage {
  type: 'message'
  seq: Seq
  draft: MessageDraft
}

/** The human went back to an earlier point. */
interface RecordedRewind {
  type: 'rewind'
  at: number
  to: Seq
}

/**
 * The session as it happened, without the compactions and prunings of its own harness, because the
 * replay makes its own.
 */
export function recordedOf(log: Chronological): Recorded[] {
  const recorded: Recorded[] = []
  for (const entry of log) {
    if (entry.kind === 'rewind' && entry.resume === undefined) {
      recorded.push({ type: 'rewind', at: entry.at, to: entry.to })
    }
    if (entry.kind === 'message') addMessage(recorded, entry)
  }
  return recorded
}

function addMessage(recorded: Recorded[], entry: EntryOf<'message'>): void {
  const { message, seq, at } = entry
  const last = recorded.at(-1)
  if (message.role === 'assistant') {
    recorded.push({ type: 'step', at, messages: [message], finish: finishOf(entry), seqs: [seq] })
  } else if (message.role === 'tool' && last?.type === 'step') {
    last.messages.push(message)
    last.seqs.push(seq)
  } else {
    const { usage: _, seq: __, ...draft } = entry
    recorded.push({ type: 'message', seq, draft })
  }
}

function finishOf({ finish, message }: EntryOf<'message'>): FinishReason {
  if (finish !== undefined) return finish
  const { content } = message
  const calls = typeof content !== 'string' && content.some((part) => part.type === 'tool-call')
  return calls ? 'tool-calls' : 'stop'
}

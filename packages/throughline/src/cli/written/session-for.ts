import { handOver } from '../../formats/handoff/hand-over.ts'
import { writtenSession } from '../../formats/writing/written-session.ts'
import type { RealCounter } from '../sizes/real-counter.ts'
import type { WrittenSession } from '../../formats/writing/format-writer.ts'
import type { CompactedLog } from '../../session/once/compact-log.ts'
import type { SessionInput } from '../source/read-input.ts'
import type { GoesTo } from './goes-to.ts'

/** What the new session begins with, made from a compacted one. */
export function sessionFor(
  { format, facts, source }: Pick<SessionInput, 'format' | 'facts' | 'source'>,
  { log }: Pick<CompactedLog, 'log'>,
  { destination, tools }: GoesTo,
): WrittenSession {
  const session = writtenSession(log, facts, source)
  return tools === 'handed over' ? handOver(session, format, destination.name) : session
}

/** The tokens of its messages. */
export function writtenTokens({ summary, messages }: WrittenSession, counter: RealCounter): number {
  const block = summary === undefined ? 0 : counter.text(summary)
  const sum = messages.reduce((total, { message }) => total + counter.message(message), block)
  return Math.ceil(sum)
}

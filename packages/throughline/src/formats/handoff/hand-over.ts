import { toolNote } from './tool-note.ts'
import { toolTableOf } from './tool-tables.ts'
import { withOwnCalls } from './own-calls.ts'
import type { WrittenMessage, WrittenSession } from '../writing/format-writer.ts'

/**
 * A session of one harness for the model of another: calls become those of its own tools where
 * it has an exact counterpart, and are told in words where it has none, so that it does not call
 * what is not there; and a note behind the summary says what does the work of the tools that are
 * named. The harnesses are named by their formats.
 */
export function handOver(session: WrittenSession, from: string, to: string): WrittenSession {
  const { directory } = session.facts
  const tables = { from: toolTableOf(from), to: toolTableOf(to), directory }
  const note = toolNote(session, tables)
  const messages = withOwnCalls(session.messages, tables)
  if (session.summary !== undefined) {
    return { ...session, summary: `${session.summary}\n${note}`, messages }
  }
  const first: WrittenMessage = {
    message: { role: 'user', content: note },
    origin: 'harness',
    at: messages[0]?.at ?? 0,
  }
  return { ...session, messages: [first, ...messages] }
}

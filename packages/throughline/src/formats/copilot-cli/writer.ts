import { momentOf } from '../writing/moment.ts'
import { replyData, resultData, userData, type Fields } from './written-data.ts'
import type { FormatWriter, Identity, WrittenMessage } from '../writing/format-writer.ts'

/** An event that has no place in the chain yet. */
interface Happened {
  type: string
  at: number
  data: Fields
}

/** Writes events that `copilot --resume` takes: a compaction of its own kind, then the rest. */
export const copilotCliWriter: FormatWriter = {
  name: 'copilot-cli',
  write({ summary, messages }, identity) {
    const events = [start(identity)]
    if (summary !== undefined) events.push(...compaction(summary, identity))
    for (const written of messages) events.push(...eventsOf(written, identity))
    const lines = linked(events, identity).map((event) => `${JSON.stringify(event)}\n`)
    return { session: identity.session, text: lines.join('') }
  },
}

function start({ session, now, directory }: Identity): Happened {
  const data = {
    sessionId: session,
    version: 1,
    producer: 'throughline',
    copilotVersion: '1.0.102',
    startTime: new Date(now).toISOString(),
    context: { cwd: directory },
  }
  return { type: 'session.start', at: now, data }
}

/** Copilot drops what stands before its end, so it stands before everything. */
function compaction(summaryContent: string, { now: at }: Identity): Happened[] {
  return [
    { type: 'session.compaction_start', at, data: {} },
    { type: 'session.compaction_complete', at, data: { success: true, summaryContent } },
  ]
}

function eventsOf(written: WrittenMessage, { now, newId }: Identity): Happened[] {
  const { message, origin, model } = written
  const at = momentOf(written.at, now)
  if (message.role === 'tool') {
    return message.content.flatMap((part) =>
      part.type === 'tool-result'
        ? [{ type: 'tool.execution_complete', at, data: resultData(part) }]
        : [],
    )
  }
  if (message.role === 'assistant') {
    const data = {
      messageId: newId(),
      ...(model !== undefined && { model }),
      ...replyData(message),
    }
    return [{ type: 'assistant.message', at, data }]
  }
  const source = origin !== 'human' && { source: 'throughline' }
  return [{ type: 'user.message', at, data: { ...userData(message), ...source } }]
}

/** Every event names the one before it: Copilot refuses a file without that chain. */
function linked(events: readonly Happened[], { newId }: Identity): Fields[] {
  let parentId: string | null = null
  return events.map(({ type, data, at }) => {
    const id = newId()
    const event = { type, data, id, timestamp: new Date(at).toISOString(), parentId }
    parentId = id
    return event
  })
}

import { addResult, closeResults, giveEntries, giveReply } from '../conversation/conversation.ts'
import { assistantParts } from '../claude-code/assistant-parts.ts'
import { refusalWords } from '../claude-code/refusal.ts'
import { toolOutput } from '../claude-code/tool-output.ts'
import { finishOf, usageOf } from '../claude-code/usage.ts'
import { clockTime } from '../writing/clock-time.ts'
import { nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { userEntries } from '../conversation/user-entries.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { userParts } from './user-parts.ts'
import type { AnswerDetails, MessageReader, MessageSink } from '../api-reader.ts'

/** Reads messages of Anthropic's Messages API. */
export function messageReader(sink: MessageSink): MessageReader {
  let begun = false
  return {
    read: (message, details) => {
      switch (message['role']) {
        case 'user':
          begun = true
          return readUser(sink, message)
        case 'assistant':
          begun = true
          return readAssistant(sink, message, details)
        case 'system':
          return readSystem(sink, message, begun)
        default:
          return sink.omit('unknown-record')
      }
    },
    end: () => closeResults(sink.conversation),
  }
}

/** The results of calls stand in the user's place, before what was said beside them. */
function readUser({ conversation, omit }: MessageSink, message: Fields): void {
  const at = timeIn(message)
  const { content } = message
  const parts: OriginPart[] = []
  let results = 0
  for (const block of objectsOf(content)) {
    if (block['type'] !== 'tool_result') continue
    results++
    const toolCallId = nameOf(block['tool_use_id'])
    if (!toolCallId) omit('result-without-call')
    else addResult(conversation, { at, toolCallId, output: toolOutput(block) })
    const words = refusalWords(block)
    if (words) parts.push({ origin: 'human', part: { type: 'text', text: words } })
  }
  parts.push(...userParts(content))
  const entries = userEntries(parts, at)
  if (entries.length > 0) giveEntries(conversation, entries)
  else if (results === 0) omit('empty')
}

/** What stands before all else is the system prompt; what comes later, the harness says. */
function readSystem(sink: MessageSink, message: Fields, begun: boolean): void {
  const parts = userParts(message['content'])
  const texts = parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []))
  if (!begun) return sink.addSystem(texts.join('\n'))
  if (parts.length === 0) return sink.omit('empty')
  const said = parts.map(({ part }) => ({ origin: 'harness' as const, part }))
  giveEntries(
    sink.conversation,
    userMessages(said, timeIn(message), { source: { role: 'system' } }),
  )
}

/** A message that came as an answer carries its own id, model and usage. */
function readAssistant(sink: MessageSink, message: Fields, details: AnswerDetails): void {
  const at = details.at ?? timeIn(message)
  const id = details.id ?? nameOf(message['id'])
  const { content } = message
  const behind = behindCompaction(sink, content, at)
  const given = giveReply(sink.conversation, {
    at,
    parts: assistantParts(behind),
    model: details.model ?? nameOf(message['model']),
    usage: details.usage ?? usageOf(message['usage']),
    finish: details.finish ?? finishOf(message['stop_reason']),
    metadata: id === undefined ? undefined : { source: { message: id } },
  })
  if (!given && behind === content) sink.omit('empty')
}

/**
 * The API's own compaction: a block with a summary, of which the API sends the model no
 * more than it and what follows. Gives it as a checkpoint and says what follows.
 */
function behindCompaction({ conversation }: MessageSink, content: unknown, at: number): unknown {
  if (!Array.isArray(content)) return content
  const blocks = objectsOf(content)
  const index = blocks.findLastIndex(({ type }) => type === 'compaction')
  const summary = textOf(blocks[index]?.['content'])
  if (summary === undefined) return content
  giveEntries(conversation, [
    {
      kind: 'checkpoint',
      at,
      base: 0,
      summary,
      summarizer: 'anthropic',
      tail: [],
      continuation: null,
      metadata: {},
    },
  ])
  return blocks.slice(index + 1)
}

function timeIn(message: Fields): number {
  return clockTime(message['timestamp'] ?? message['created_at']) ?? 0
}

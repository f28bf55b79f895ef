import { jsonDocument } from '../writing/json-document.ts'
import { markedFailure } from './failure-mark.ts'
import { isFailed, outputWords } from '../writing/output-pieces.ts'
import { mediumOf } from '../writing/media.ts'
import {
  partsOf,
  type AssistantMessage,
  type Message,
  type ToolResultPart,
} from '../../log/message.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { textBlock, userBlock, type Fields } from './written-blocks.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes the messages that a request of Chat Completions holds of a session. */
export const openaiChatWriter: FormatWriter = {
  name: 'openai-chat',
  write({ summary, messages, facts: { system } }, { session }) {
    const said = messages.map(({ message }) => message)
    const all = summary === undefined ? said : [summaryAsUser(summary), ...said]
    const prompt = system === undefined ? [] : [{ role: 'system', content: system }]
    const document = { messages: [...prompt, ...all.flatMap(chatMessages)] }
    return { session, text: jsonDocument(document) }
  },
}

function chatMessages(message: Message): Fields[] {
  if (message.role === 'assistant') return [reply(message)]
  if (message.role === 'tool') {
    return message.content.flatMap((part) => (part.type === 'tool-result' ? [result(part)] : []))
  }
  const blocks = partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [textBlock(part.text)]
    return part.type === 'image' || part.type === 'file' ? [userBlock(mediumOf(part))] : []
  })
  return [{ role: 'user', content: contentOf(blocks) }]
}

/** The API has one place for the words of a reply, and one for its calls. */
function reply(message: AssistantMessage): Fields {
  const parts = partsOf(message)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [textBlock(part.text)] : []))
  const calls = parts.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const called = { name: part.toolName, arguments: JSON.stringify(part.input) }
    return [{ id: part.toolCallId, type: 'function', function: called }]
  })
  const content = texts.length === 0 ? null : contentOf(texts)
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
}

/** A text alone as it is: servers that took over this API do not all take a list. */
function contentOf(blocks: readonly Fields[]): unknown {
  const [only] = blocks
  return blocks.length === 1 && only?.['type'] === 'text' ? only['text'] : blocks
}

/** Results are words alone here, and cannot say in another way that a call failed. */
function result({ toolCallId, output }: ToolResultPart): Fields {
  const text = outputWords(output)
  const content = isFailed(output) ? markedFailure(text) : text
  return { role: 'tool', tool_call_id: toolCallId, content }
}

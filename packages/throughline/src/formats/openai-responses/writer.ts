import { inputBlock, writtenOutput, type Fields } from '../codex/written-blocks.ts'
import { fileName, isImage, mediumOf, urlOf, wordsFor, type Medium } from '../../wires/media.ts'
import { jsonDocument } from '../writing/json-document.ts'
import { partsOf, type Message, type Part } from '../../log/message.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes what a request of the Responses API holds of a session. */
export const openaiResponsesWriter: FormatWriter = {
  name: 'openai-responses',
  write({ summary, messages, facts: { system } }, { session }) {
    const said = messages.map(({ message }) => message)
    const all = summary === undefined ? said : [summaryAsUser(summary), ...said]
    const document = {
      ...(system !== undefined && { instructions: system }),
      input: all.flatMap(itemsOf),
    }
    return { session, text: jsonDocument(document) }
  },
}

function itemsOf(message: Message): Fields[] {
  const parts = partsOf(message)
  if (message.role === 'assistant' || message.role === 'tool') return parts.flatMap(itemOf)
  return [{ type: 'message', role: 'user', content: parts.flatMap(blockOf) }]
}

/** Every part of a reply, and every result, is an item of its own. */
function itemOf(part: Part): Fields[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'message', role: 'assistant', content: part.text }]
    case 'tool-call': {
      const { toolCallId: call_id, toolName: name, input } = part
      return [{ type: 'function_call', call_id, name, arguments: JSON.stringify(input) }]
    }
    case 'tool-result': {
      const output = writtenOutput(part.output)
      return [{ type: 'function_call_output', call_id: part.toolCallId, output }]
    }
    default:
      return []
  }
}

function blockOf(part: Part): Fields[] {
  if (part.type === 'text') return [inputBlock(part.text)]
  return part.type === 'image' || part.type === 'file' ? [mediaBlock(mediumOf(part))] : []
}

function mediaBlock(medium: Medium | string): Fields {
  if (typeof medium === 'string' || isImage(medium)) return inputBlock(medium)
  if (medium.mediaType !== 'application/pdf') return inputBlock(wordsFor(medium))
  if (medium.url !== undefined) return { type: 'input_file', file_url: medium.url }
  return { type: 'input_file', filename: fileName(medium), file_data: urlOf(medium) }
}

import { isFailed, outputPieces } from '../../wires/output-pieces.ts'
import { jsonDocument } from '../writing/json-document.ts'
import { mediumOf, type Medium } from '../../wires/media.ts'
import { originNote } from './noted-origin.ts'
import { partsOf, type Part, type ToolOutput, type ToolOutputPart } from '../../log/message.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, WrittenMessage } from '../writing/format-writer.ts'

/**
 * Writes the messages that a call of the AI SDK takes. It refuses a system prompt among them,
 * which whoever makes the call gives beside them.
 */
export const aiSdkWriter: FormatWriter = {
  name: 'ai-sdk',
  write({ summary, messages }, { session }) {
    const said = messages.map(modelMessage)
    const all = summary === undefined ? said : [summaryAsUser(summary), ...said]
    return { session, text: jsonDocument(all) }
  },
}

function modelMessage({ message, origin }: WrittenMessage): Fields {
  const parts = partsOf(message).map(modelPart)
  if (message.role === 'assistant' || message.role === 'tool') {
    return { role: message.role, content: parts }
  }
  const content = typeof message.content === 'string' ? message.content : parts
  return { role: 'user', content, ...originNote(message, origin) }
}

function modelPart(part: Part): Fields {
  if (part.type === 'tool-result') return { ...part, output: modelOutput(part.output) }
  return part.type === 'image' || part.type === 'file' ? filePart(mediumOf(part)) : { ...part }
}

function filePart(medium: Medium | string): Fields {
  if (typeof medium === 'string') return { type: 'text', text: medium }
  const { base64, url, ...named } = medium
  return { type: 'file', ...named, data: url ?? base64 }
}

function modelOutput(output: ToolOutput): ToolOutput {
  if (output.type !== 'content') return output
  const failed = isFailed(output) && { providerOptions: { throughline: { failed: true } } }
  return { type: 'content', value: outputPieces(output).map(outputPart), ...failed }
}

/** JSON holds no URL, which all kinds of parts but an old one want. */
function outputPart(piece: Medium | string): ToolOutputPart {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  const { base64, url, ...named } = piece
  if (url !== undefined) return { type: 'file-url', url, ...named }
  return { type: 'file', ...named, data: { type: 'data', data: base64 } }
}

import { partsOf, type Message, type Part, type ToolOutput } from '../log/message.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import type { WrittenSession } from './writing/format-writer.ts'

/**
 * The messages of a session for a wire to write: what one provider noted of them means nothing to
 * the next one, and marks of its cache are not to be counted twice.
 */
export function writtenMessages({
  summary,
  messages,
}: Pick<WrittenSession, 'messages'> & { summary?: string | undefined }): Message[] {
  const said = messages.map(({ message }) => plainMessage(message))
  return summary === undefined ? said : [summaryAsUser(summary), ...said]
}

/** A message without what one provider noted of it. */
export function plainMessage(message: Message): Message {
  const { providerOptions: _, ...bare } = message
  if (typeof message.content === 'string') return bare
  return { ...bare, content: partsOf(message).map(plainPart) } as Message
}

function plainPart(part: Part): Part {
  const { providerOptions: _, ...bare } = part as Part & { providerOptions?: unknown }
  if (bare.type === 'tool-result') return { ...bare, output: plainOutput(bare.output) }
  return bare as Part
}

/** The options of an output say whether its call failed. APIs reject empty texts. */
function plainOutput(output: ToolOutput): ToolOutput {
  if (output.type !== 'content') return output
  const value = output.value.filter(({ type, text }) => type !== 'text' || text)
  return value.length === 0 ? { type: 'text', value: '' } : { ...output, value }
}

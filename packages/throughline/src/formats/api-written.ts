import { inHarnessElement } from '../facts/human/client-forms.ts'
import { partsOf, type Message, type Part, type ToolOutput, type UserPart } from '../log/message.ts'
import { userEntries } from './conversation/user-entries.ts'
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
  const said = messages.map(({ message, origin }) => {
    const plain = plainMessage(message)
    return origin === 'harness' || origin === 'tool' ? notSaid(plain) : plain
  })
  return summary === undefined ? said : [summaryAsUser(summary), ...said]
}

/**
 * What a client or a tool says in the user's place, so that nobody takes it for the human's: an API
 * has no field that would tell.
 */
function notSaid(message: Message): Message {
  if (message.role !== 'user') return message
  const parts = partsOf(message) as UserPart[]
  const read = userEntries(
    parts.map((part) => ({ origin: 'human', part })),
    0,
  )
  if (read.every(({ origin }) => origin !== 'human')) return message
  const content = parts.map((part) =>
    part.type === 'text' && part.text !== ''
      ? { ...part, text: inHarnessElement(part.text) }
      : part,
  )
  const [only] = content
  const alone = typeof message.content === 'string' && only?.type === 'text'
  return { ...message, content: alone ? only.text : content }
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

import type { Replacement } from './entry.ts'
import type { Message, Part, ToolOutput } from './message.ts'
import { partsOf } from './message.ts'
import { parseRef } from './ref.ts'

/** The message with some of its parts replaced; the original is untouched. */
export function replaceParts(message: Message, replacements: readonly Replacement[]): Message {
  const byPart = new Map(replacements.map((item) => [parseRef(item.ref)?.part, item]))
  const content = partsOf(message).map((part, index) => {
    const replacement = byPart.get(index)
    return replacement ? replacePart(part, replacement) : part
  })
  return { ...message, content } as Message
}

/** What belongs to a pair stays what it is, whatever a log says: its other half needs it. */
function replacePart(part: Part, replacement: Replacement): Part {
  if ('input' in replacement) {
    return part.type === 'tool-call' ? { ...part, input: replacement.input } : part
  }
  switch (part.type) {
    case 'tool-call':
    case 'tool-approval-request':
    case 'tool-approval-response':
      return part
    case 'tool-result':
      return { ...part, output: outputWithText(part.output, replacement.text) }
    case 'text':
      return { ...part, text: replacement.text }
    default:
      return { type: 'text', text: replacement.text }
  }
}

function outputWithText(output: ToolOutput, value: string): ToolOutput {
  const failed = output.type === 'error-text' || output.type === 'error-json'
  return { type: failed ? 'error-text' : 'text', value }
}

import { outputText } from '../../log/message-text.ts'
import { partsOf, type Message, type Part } from '../../log/message.ts'

/**
 * Messages as one text in a `<conversation>` element. No text inside can close the element: what
 * stands there is data for whoever reads it, never an instruction.
 * @example
 * transcriptText([{ role: 'user', content: 'hi' }]) // '<conversation>\n[user]\nhi\n</conversation>'
 */
export function transcriptText(messages: readonly Message[]): string {
  const said = messages.flatMap((message) =>
    partsOf(message).flatMap((part) => partLines(part, message.role)),
  )
  return `<conversation>\n${escaped(said.join('\n\n'))}\n</conversation>`
}

function partLines(part: Part, role: Message['role']): string[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [`[${role}]\n${part.text}`]
    case 'tool-call':
      return [`[call of ${part.toolName}]\n${JSON.stringify(part.input) ?? ''}`]
    case 'tool-result':
      return [`[result of ${part.toolName}]\n${outputText(part.output)}`]
    default:
      return []
  }
}

function escaped(text: string): string {
  return text.replace(/<(\/?)(conversation)/gi, '&lt;$1$2')
}

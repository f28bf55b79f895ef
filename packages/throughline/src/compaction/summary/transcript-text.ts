import { outputText } from '../../log/message-text.ts'
import { partsOf, type Message, type Part } from '../../log/message.ts'

/**
 * Messages as one text in a `<conversation>` element. No text inside can close the element, open
 * another, or pass for what somebody else said: what stands there is data for whoever reads it.
 * @example
 * transcriptText([{ role: 'user', content: 'hi' }]) // '<conversation>\n[user]\nhi\n</conversation>'
 */
export function transcriptText(messages: readonly Message[]): string {
  return conversationBlock(stepTexts(messages))
}

/** What {@link stepTexts} gave, or a part of it, in its element. */
export function conversationBlock(texts: readonly string[]): string {
  return `<conversation>\n${texts.join('\n\n')}\n</conversation>`
}

/**
 * The text of each step: what belongs together, since a call stands with its results. Reasoning
 * and media are left out, and tags and marks of ours are escaped.
 */
export function stepTexts(messages: readonly Message[]): string[] {
  const steps: string[][] = []
  for (const message of messages) {
    const said = partsOf(message).flatMap((part) => partText(part, message.role))
    const step = steps.at(-1)
    if (message.role === 'tool' && step) step.push(...said)
    else steps.push(said)
  }
  return steps.filter((said) => said.length > 0).map((said) => said.join('\n\n'))
}

function partText(part: Part, role: Message['role']): string[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [said(`[${role}]`, part.text)]
    case 'tool-call':
      return [said(`[call of ${oneLine(part.toolName)}]`, JSON.stringify(part.input) ?? '')]
    case 'tool-result':
      return [said(`[result of ${oneLine(part.toolName)}]`, outputText(part.output))]
    default:
      return []
  }
}

function said(mark: string, text: string): string {
  return `${escapeTags(mark)}\n${escapeTags(escapeMarks(text))}`
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ')
}

/** Makes the tags around data harmless inside of it, however they are written. */
export function escapeTags(text: string): string {
  return text.replace(/<([\s/]*(?:conversation|prior-conversation-summary))/gi, '&lt;$1')
}

/** A line of an output that looks like the beginning of what another one said is not that. */
function escapeMarks(text: string): string {
  return text.replace(/^\[(?=(?:user|assistant|system|tool|call of|result of)\b)/gim, '\\[')
}

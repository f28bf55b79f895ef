import { outputText } from '../../log/message-text.ts'
import { partsOf, type AssistantPart, type Message } from '../../log/message.ts'
import type { WrittenMessage } from './format-writer.ts'

/**
 * The messages in parts that every harness has a form for: texts, images and files of the user,
 * calls and their results. What a provider ran by itself is told in words, what only its maker
 * can read is left out, and a message of which nothing stays goes too.
 */
export function withPlainParts(messages: readonly WrittenMessage[]): WrittenMessage[] {
  return messages.flatMap((written) => {
    const message = plainMessage(written.message)
    return message === undefined ? [] : [{ ...written, message }]
  })
}

function plainMessage(message: Message): Message | undefined {
  const plain = { role: message.role, content: contentOf(message) } as Message
  return plain.content.length === 0 ? undefined : plain
}

function contentOf(message: Message): Message['content'] {
  if (typeof message.content === 'string') return says(message.content) ? message.content : ''
  if (message.role === 'assistant') return message.content.flatMap(assistantPart)
  if (message.role === 'tool') {
    return message.content.filter((part) => part.type === 'tool-result').map(withoutOptions)
  }
  return partsOf(message).filter((part) => part.type !== 'text' || says(part.text)) as never
}

function assistantPart(part: AssistantPart): AssistantPart[] {
  switch (part.type) {
    case 'text':
      return says(part.text) ? [{ type: 'text', text: part.text }] : []
    case 'tool-call':
      if (!part.providerExecuted) return [{ ...withoutOptions(part), input: fields(part.input) }]
      return told(`The provider ran ${part.toolName} with ${json(part.input)}.`)
    case 'tool-result': {
      const answer = outputText(part.output)
      return says(answer) ? told(`The provider's ${part.toolName} answered: ${answer}`) : []
    }
    case 'file':
      return told(`The model gave a file: ${part.filename ?? ''} (${part.mediaType}).`)
    default:
      return []
  }
}

/** Providers refuse a text of white space alone. */
function says(text: string): boolean {
  return text.trim() !== ''
}

/** Providers take nothing but an object as the input of a call. */
function fields(input: unknown): object {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }
}

function told(text: string): AssistantPart[] {
  return [{ type: 'text', text: `[${text}]` }]
}

/** What a provider wants to have back with a part means nothing to another one. */
function withoutOptions<Any extends { providerOptions?: unknown }>(part: Any): Any {
  const { providerOptions, ...plain } = part
  return (providerOptions === undefined ? part : plain) as Any
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

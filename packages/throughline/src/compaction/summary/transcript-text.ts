import { labeled, speakerOf } from '../../log/speaker.ts'
import { outputText, partsOf, type Message, type Part } from '../../log/message.ts'

/**
 * The result of {@link stepTexts}, or a part of it, in a `<conversation>` element. No text inside can
 * close the element, open another, or pose as another speaker: to its reader, everything is data.
 */
export function conversationBlock(texts: readonly string[]): string {
  return `<conversation>\n${texts.join('\n\n')}\n</conversation>`
}

/**
 * The text of each step, which keeps calls and their results together. Reasoning and media are left
 * out, and our own tags and marks are escaped.
 */
export function stepTexts(messages: readonly Message[]): string[] {
  const steps: string[][] = []
  let numbers: ReadonlyMap<string, number> = new Map()
  for (const message of messages) {
    if (message.role === 'assistant') numbers = callNumbers(message)
    const said = partsOf(named(message)).flatMap((part) => partText(part, message.role, numbers))
    const step = steps.at(-1)
    if (message.role === 'tool' && step) step.push(...said)
    else steps.push(said)
  }
  return steps.filter((said) => said.length > 0).map((said) => said.join('\n\n'))
}

/** A message with the name of its speaker, if it has one, before the words. */
function named(message: Message): Message {
  const speaker = speakerOf({ message })
  if (speaker === undefined || message.role !== 'user') return message
  const { content } = message
  if (typeof content === 'string') return { role: 'user', content: labeled(content, speaker) }
  const at = content.findIndex(({ type }) => type === 'text')
  const parts = content.map((part, index) =>
    part.type === 'text' && index === at ? { ...part, text: labeled(part.text, speaker) } : part,
  )
  return { role: 'user', content: parts }
}

/** Where several calls were made at once, their results may come in another order. */
function callNumbers(message: Message): ReadonlyMap<string, number> {
  const calls = partsOf(message).filter((part) => part.type === 'tool-call')
  if (calls.length < 2) return new Map()
  return new Map(calls.map(({ toolCallId }, at) => [toolCallId, at + 1]))
}

function partText(
  part: Part,
  role: Message['role'],
  numbers: ReadonlyMap<string, number>,
): string[] {
  const numbered = (id: string): string => (numbers.has(id) ? ` ${numbers.get(id)}` : '')
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [said(`[${role}]`, part.text)]
    case 'tool-call':
      return [
        said(
          `[call${numbered(part.toolCallId)} of ${oneLine(part.toolName)}]`,
          JSON.stringify(part.input) ?? '',
        ),
      ]
    case 'tool-result':
      return [
        said(
          `[result${numbered(part.toolCallId)} of ${oneLine(part.toolName)}]`,
          outputText(part.output),
        ),
      ]
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

/** Disarms data tags inside the data, however they are written. */
export function escapeTags(text: string): string {
  return text.replace(/<([\s/]*(?:conversation|prior-conversation-summary))/gi, '&lt;$1')
}

/** A line of an output that looks like the beginning of another speaker's text is escaped. */
function escapeMarks(text: string): string {
  return text.replace(
    /^\[(?=(?:user|assistant|system|tool|(?:call|result)(?: \d{1,4})? of)\b)/gim,
    '\\[',
  )
}

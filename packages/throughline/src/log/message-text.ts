import { partsOf, type Message, type Part, type ToolOutput } from './message.ts'

/** The text of a part, as a reader would see it; '' for media. */
export function partText(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  return part.type === 'tool-result' ? outputText(part.output) : ''
}

/** The text of a tool's output. */
export function outputText(output: ToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value) ?? ''
    case 'execution-denied':
      return output.reason ?? 'The call was denied.'
    case 'content':
      return output.value.map((part) => part.text ?? '').join('\n')
  }
}

/** All text of a message, one part per line. */
export function messageText(message: Message): string {
  return partsOf(message)
    .map(partText)
    .filter((text) => text !== '')
    .join('\n')
}

/** What an assistant message says to the human: its text, without reasoning and calls. */
export function assistantText(message: Message): string {
  return partsOf(message)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}

/** The texts of a message, part by part. */
export function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

import { partsOf, type Message } from '../../../log/message.ts'

/**
 * Whether a provider's prompt was made of these messages: by its words and by its calls, since
 * media may have been fetched and small things left out on the way. A model is asked for other
 * things too, such as a title or a summary.
 */
export function isMadeOf(prompt: readonly Message[], messages: readonly Message[]): boolean {
  return signature(prompt) === signature(messages)
}

function signature(messages: readonly Message[]): string {
  const said = messages
    .filter(({ role }) => role !== 'system')
    .flatMap(partsOf)
    .flatMap((part) => {
      if (part.type === 'text') return part.text === '' ? [] : [part.text]
      return part.type === 'tool-call' || part.type === 'tool-result' ? [part.toolCallId] : []
    })
  return JSON.stringify(said)
}

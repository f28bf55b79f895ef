import { boundedValue, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { assistantParts as anthropicParts } from '../claude-code/assistant-parts.ts'
import type { AssistantPart } from '../../log/message.ts'

/**
 * What a model thought, as the servers that speak this API send it: blocks of Anthropic's
 * through LiteLLM, OpenRouter's details, or plain text.
 */
export function reasoningParts(message: Fields): AssistantPart[] {
  const listed = objectsOf(message['thinking_blocks'])
  const blocks = anthropicParts(listed.length > 0 ? listed : thinking(message))
  if (blocks.length > 0) return blocks
  const text = textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? ''
  const details = objectsOf(message['reasoning_details'])
  if (text === '' && details.length === 0) return []
  const openrouter = { reasoning_details: details.map(boundedValue) }
  const said = text === '' ? details.flatMap(detailText).join('\n') : text
  return [
    {
      type: 'reasoning',
      text: said,
      ...(details.length > 0 && { providerOptions: { openrouter } }),
    },
  ]
}

/** Some servers put the blocks among the content. */
function thinking(message: Fields): Fields[] {
  return objectsOf(message['content']).filter(
    ({ type }) => type === 'thinking' || type === 'redacted_thinking',
  )
}

function detailText(detail: Fields): string | string[] {
  return nameOf(detail['text']) ?? nameOf(detail['summary']) ?? []
}

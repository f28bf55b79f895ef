import {
  boundedValue,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  fieldsOf,
  dataOf,
  decodedInput,
} from '../../json/fields.ts'
import type { Fields } from '../../json/fields.ts'
import type { AssistantPart, ToolCallPart, ToolOutputPart, UserPart } from '../../log/message.ts'

/** An item of the model's response as parts of its message. `serial` names calls without an id. */
export function assistantParts(item: Fields, serial: number): AssistantPart[] {
  switch (item['type']) {
    case 'message':
      return messageText(item)
    case 'reasoning':
      return reasoning(item)
    case 'function_call':
      return call(item, nameOf(item['name']), decodedInput(item['arguments']))
    case 'custom_tool_call':
      return call(item, nameOf(item['name']), textOf(item['input']) ?? '')
    case 'local_shell_call':
      return call(item, 'local_shell', item['action'] ?? {})
    case 'tool_search_call':
      return call(item, 'tool_search', decodedInput(item['arguments']))
    case 'web_search_call':
      return webSearch(item, serial)
    default:
      return unknownItem(item)
  }
}

function messageText(item: Fields): AssistantPart[] {
  const phase = nameOf(item['phase'])
  return objectsOf(item['content']).flatMap((block) => {
    const text = nameOf(block['text']) ?? nameOf(block['refusal'])
    if (!text) return []
    return [{ type: 'text', text, ...(phase && { providerOptions: { openai: { phase } } }) }]
  })
}

/** Reasoning that can neither be read nor sent again is left out. */
function reasoning(item: Fields): AssistantPart[] {
  const texts = objectsOf([...listOf(item['summary']), ...listOf(item['content'])]).flatMap(
    (block) => nameOf(block['text']) ?? [],
  )
  const reasoningEncryptedContent = nameOf(item['encrypted_content'])
  if (texts.length === 0 && !reasoningEncryptedContent) return []
  const itemId = nameOf(item['id'])
  const openai = {
    ...(itemId && { itemId }),
    ...(reasoningEncryptedContent && { reasoningEncryptedContent }),
  }
  return [{ type: 'reasoning', text: texts.join('\n\n'), providerOptions: { openai } }]
}

function call(item: Fields, toolName: string | undefined, input: unknown): AssistantPart[] {
  const toolCallId = nameOf(item['call_id']) ?? nameOf(item['id'])
  if (!toolCallId || !toolName) return []
  const type = item['type']
  const codex = { item: type, ...(nameOf(item['namespace']) && { namespace: item['namespace'] }) }
  const plain = type === 'function_call' && !item['namespace']
  return [
    {
      type: 'tool-call',
      toolCallId,
      toolName,
      input: boundedValue(input),
      ...(!plain && { providerOptions: { codex } }),
    },
  ]
}

/** The provider ran the search itself; its results were never recorded. */
function webSearch(item: Fields, serial: number): AssistantPart[] {
  const toolCallId = nameOf(item['call_id']) ?? nameOf(item['id']) ?? `web_search_${serial}`
  const toolName = 'web_search'
  const input = boundedValue(item['action'] ?? {})
  const search: ToolCallPart = {
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    providerExecuted: true,
    providerOptions: { codex: { item: 'web_search_call' } },
  }
  const output = { type: 'text' as const, value: '' }
  return [search, { type: 'tool-result', toolCallId, toolName, output }]
}

function unknownItem(item: Fields): AssistantPart[] {
  const type = nameOf(item['type'])
  if (!type) return []
  const providerOptions = { openai: { item: boundedValue(item) } }
  return [{ type: 'custom', kind: `openai.${type}`, providerOptions }]
}

/** The image of an `input_image` block: as data, or as an address. */
interface Image {
  mediaType: string
  data?: string
  url?: string
}

export function imagePart(block: Fields): UserPart | undefined {
  const image = imageOf(block)
  return image && { type: 'image', image: image.data ?? image.url, mediaType: image.mediaType }
}

export function imageOutput(block: Fields): ToolOutputPart | undefined {
  const image = imageOf(block)
  if (!image) return undefined
  const { mediaType, data, url } = image
  if (data === undefined) return { type: 'file', mediaType, data: { type: 'url', url } }
  return { type: 'file', mediaType, data: { type: 'data', data } }
}

function imageOf(block: Fields): Image | undefined {
  const url = nameOf(block['image_url']) ?? nameOf(fieldsOf(block['image_url'])?.['url'])
  if (!url) return undefined
  const inline = dataOf(url)
  return inline
    ? { mediaType: inline.mediaType || 'image', data: inline.data }
    : { mediaType: 'image', url }
}

import {
  boundedValue,
  countOf,
  decodedInput,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import {
  blocksIn,
  by,
  call,
  media,
  outputMedia,
  outputOfBlocks,
  outputText,
  reasoningItem,
  rowFor,
  sealed,
  text,
  textOutput,
  unknownBlock,
} from '../conversation/parts.ts'
import { madeParts, saidInParts, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart } from '../../log/message.ts'

/** An item of the model's response as parts of its message. `serial` names calls without an id. */
export function itemParts(item: Fields, serial: number): AssistantPart[] {
  return (rowFor(items, item['type']) ?? unknownItem)(item, serial)
}

const items: Readonly<Record<string, (item: Fields, serial: number) => AssistantPart[]>> = {
  message: ({ content, phase }) =>
    objectsOf(content).flatMap((block) =>
      text(nameOf(block['text']) ?? block['refusal']).map((part) => ({
        ...part,
        ...sealed('openai', { phase }),
      })),
    ),
  reasoning(item) {
    const blocks = objectsOf([...listOf(item['summary']), ...listOf(item['content'])])
    const texts = blocks.flatMap((block) => nameOf(block['text']) ?? [])
    // What can neither be read nor sent again is left out.
    return texts.length > 0 || nameOf(item['encrypted_content']) ? reasoningItem(texts, item) : []
  },
  function_call: (item) => callItem(item, item['name'], decodedInput(item['arguments'])),
  custom_tool_call: (item) => callItem(item, item['name'], textOf(item['input']) ?? ''),
  local_shell_call: (item) => callItem(item, 'local_shell', item['action']),
  tool_search_call: (item) => callItem(item, 'tool_search', decodedInput(item['arguments'])),
  web_search_call: webSearch,
}

function callItem(item: Fields, name: unknown, input: unknown): AssistantPart[] {
  const { type, namespace } = item
  const codex = { item: type, ...(nameOf(namespace) && { namespace }) }
  const plain = type === 'function_call' && !namespace
  const options = plain ? {} : { providerOptions: { codex } }
  return call(nameOf(item['call_id']) ?? item['id'], name, input, options)
}

/** The provider ran the search itself; its results were never recorded. */
function webSearch(item: Fields, serial: number): AssistantPart[] {
  const toolCallId = nameOf(item['call_id']) ?? nameOf(item['id']) ?? `web_search_${serial}`
  const toolName = 'web_search'
  return [
    ...call(toolCallId, toolName, item['action'], {
      providerExecuted: true,
      providerOptions: { codex: { item: 'web_search_call' } },
    }),
    { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: '' } },
  ]
}

function unknownItem(item: Fields): AssistantPart[] {
  const type = nameOf(item['type'])
  if (!type) return []
  const providerOptions = { openai: { item: boundedValue(item) } }
  return [{ type: 'custom', kind: `openai.${type}`, providerOptions }]
}

/** The address or the data of an `input_image` block. */
function imageIn({ image_url: url }: Fields): { from: unknown } {
  return { from: nameOf(url) ?? fieldsOf(url)?.['url'] }
}

/** The content of a message item that isn't the model's. */
export function userParts(content: unknown, harness: boolean): OriginPart[] {
  const parts = blocksIn(content).flatMap((block): OriginPart[] => {
    const words = textOf(block['text'])
    if (words !== undefined) {
      return harness || words.trim() === '</image>' ? madeParts(words) : by('human', text(words))
    }
    const image = media(imageIn(block))
    return image.length > 0 ? by(harness ? 'harness' : 'human', image) : unknownBlock(block)
  })
  return harness ? parts : saidInParts(parts)
}

/** What an output item gave the model, taken out of the envelope that some tools put it in. */
export function toolOutput(item: Fields): ToolOutput {
  const output = item['output'] ?? item['tools'] ?? ''
  if (typeof output === 'string') return opened(output)
  if (Array.isArray(output)) return blocksOutput(output, false)
  const { success, content } = fieldsOf(output) ?? {}
  const failed = success === false
  if (typeof content === 'string') return textOutput(content, failed)
  if (Array.isArray(content)) return blocksOutput(content, failed)
  return { type: failed ? 'error-json' : 'json', value: boundedValue(output) }
}

/** `{"output": …, "metadata": {"exit_code": …}}` as text: the output, and whether it failed. */
function opened(said: string): ToolOutput {
  const envelope = said.startsWith('{"output":') ? fieldsOf(decodedInput(said)) : undefined
  const output = textOf(envelope?.['output'])
  const metadata = fieldsOf(envelope?.['metadata'])
  if (output === undefined || !metadata) return textOutput(said, false)
  return {
    ...textOutput(output, (countOf(metadata['exit_code']) ?? 0) !== 0),
    providerOptions: { codex: { metadata: boundedValue(metadata) } },
  }
}

function blocksOutput(blocks: readonly unknown[], failed: boolean): ToolOutput {
  const pieces = objectsOf(blocks).flatMap((block): ToolOutputPart[] => {
    if (typeof block['text'] === 'string') return outputText(block['text'])
    const image = outputMedia(imageIn(block))
    return image.length > 0 ? image : unknownBlock(block).map(({ part }) => part as ToolOutputPart)
  })
  return outputOfBlocks(pieces, failed, { codex: { failed: true } })
}

import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { restOf } from '../shapes/note.ts'
import { documentPart, imagePart } from './sources.ts'
import { notes } from './notes.ts'
import { resultPart } from './tool-results.ts'
import type { AssistantPart, TextPart, ToolResultPart, UserPart } from '../../log/message.ts'
import type { ToolNames } from '../shapes/tool-names.ts'

function textPart(block: Fields): TextPart | undefined {
  const text = textOf(block['text'])
  if (block['type'] !== 'text' || text === undefined) return undefined
  return { type: 'text', text, ...notes.with({ rest: restOf(block, ['type', 'text']) }) }
}

/** The result of a call that we ran; `undefined` if the block is something else. */
export function toolResult(block: Fields, names: ToolNames): ToolResultPart | undefined {
  const id = nameOf(block['tool_use_id'])
  if (block['type'] !== 'tool_result' || id === undefined) return undefined
  return resultPart(block, id, names.get(id) ?? 'unknown')
}

/** What a user's message says besides results: what we have no word for, as the JSON that it is. */
export function userPart(block: Fields): UserPart {
  const part =
    textPart(block) ??
    (block['type'] === 'image' ? imagePart(block) : undefined) ??
    (block['type'] === 'document' ? documentPart(block) : undefined)
  if (part) return part
  const filename = nameOf(block['title'])
  return {
    type: 'file',
    data: { type: 'text', text: JSON.stringify(block) },
    mediaType: 'application/json',
    ...(filename !== undefined && { filename }),
    ...notes.with({ form: 'block' }),
  }
}

export function assistantPart(block: Fields, names: ToolNames): AssistantPart {
  return (
    textPart(block) ??
    reasoningPart(block) ??
    callPart(block, names) ??
    serverResult(block, names) ?? {
      type: 'custom',
      kind: `anthropic.${String(block['type'])}`,
      ...notes.with({ block }),
    }
  )
}

function reasoningPart(block: Fields): AssistantPart | undefined {
  const { type, signature, data } = block
  const thinking = textOf(block['thinking'])
  if (type === 'thinking' && thinking !== undefined && typeof signature === 'string') {
    const rest = restOf(block, ['type', 'thinking', 'signature'])
    const bound = { anthropic: { signature } }
    return { type: 'reasoning', text: thinking, ...notes.with({ rest }, bound) }
  }
  if (type !== 'redacted_thinking' || typeof data !== 'string') return undefined
  const rest = restOf(block, ['type', 'data'])
  return {
    type: 'reasoning',
    text: '',
    ...notes.with({ rest }, { anthropic: { redactedData: data } }),
  }
}

function callPart(block: Fields, names: ToolNames): AssistantPart | undefined {
  const { type, input } = block
  const [toolCallId, toolName] = [nameOf(block['id']), nameOf(block['name'])]
  const isOurs = type === 'tool_use'
  // Those of a provider's own tools and servers are called otherwise, and run by it.
  if (!isOurs && !String(type).endsWith('_tool_use')) return undefined
  if (toolCallId === undefined || toolName === undefined || input === undefined) return undefined
  names.set(toolCallId, toolName)
  const rest = restOf(block, ['id', 'name', 'input', ...(isOurs ? ['type'] : [])])
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    ...(!isOurs && { providerExecuted: true }),
    ...notes.with({ rest }),
  }
}

function serverResult(block: Fields, names: ToolNames): AssistantPart | undefined {
  const { type, content } = block
  const toolCallId = nameOf(block['tool_use_id'])
  if (toolCallId === undefined || !String(type).endsWith('_tool_result')) return undefined
  if (content === undefined) return undefined
  const toolName = names.get(toolCallId) ?? 'unknown'
  const rest = restOf(block, ['tool_use_id', 'content'])
  const output = { type: 'json' as const, value: content }
  return { type: 'tool-result', toolCallId, toolName, output, ...notes.with({ rest }) }
}

/** What blocks of text say together. */
export function blocksText(blocks: readonly unknown[]): string {
  return blocks.map((block) => textOf(fieldsOf(block)?.['text']) ?? '').join('\n\n')
}

import { nameOf, textOf, type Fields } from '../../json/fields.ts'
import { notes } from './message.ts'
import { documentPart, imagePart } from './media.ts'
import { resultPart } from './tool-results.ts'
import { readText } from '../text-pieces.ts'
import { restOf } from '../note.ts'
import { unknownPart, unknownSaid } from '../unknown-part.ts'
import type { AssistantPart, ToolResultPart, UserPart } from '../../log/message.ts'
import type { ToolNames } from '../tool-names.ts'

/** The result of a call that we ran; `undefined` if the block is something else. */
export function toolResult(block: Fields, names: ToolNames): ToolResultPart | undefined {
  const id = nameOf(block['tool_use_id'])
  if (block['type'] !== 'tool_result' || id === undefined) return undefined
  return resultPart(block, id, names.get(id) ?? 'unknown')
}

/** What a user's message says besides results. */
export function userPart(block: Fields): UserPart {
  return (
    readText(block, notes) ??
    (block['type'] === 'image' ? imagePart(block) : undefined) ??
    (block['type'] === 'document' ? documentPart(block) : undefined) ??
    unknownPart(block, notes)
  )
}

/** What an answer says, block by block. */
export function assistantPart(block: Fields, names: ToolNames): AssistantPart {
  return (
    readText(block, notes) ??
    reasoningPart(block) ??
    callPart(block, names) ??
    serverResult(block, names) ??
    unknownSaid(block, 'anthropic', notes)
  )
}

/** Thinking that is not signed is thinking too, though the API takes it from nobody. */
function reasoningPart(block: Fields): AssistantPart | undefined {
  const { type, signature, data } = block
  const text = textOf(block['thinking'])
  if (type === 'thinking' && text !== undefined) {
    const isSigned = typeof signature === 'string'
    const rest = restOf(block, ['type', 'thinking', ...(isSigned ? ['signature'] : [])])
    const noted = isSigned
      ? notes.with({ rest }, { anthropic: { signature } })
      : notes.with({ rest, form: 'unsigned' })
    return { type: 'reasoning', text, ...noted }
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
  // Results of a provider's own tools and servers have other types, and the provider runs them.
  if (!isOurs && !textOf(type)?.endsWith('_tool_use')) return undefined
  if (toolCallId === undefined || toolName === undefined) return undefined
  names.set(toolCallId, toolName)
  const isServers = type === 'server_tool_use'
  const rest = restOf(block, ['id', 'name', 'input', ...(isOurs || isServers ? ['type'] : [])])
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: input === undefined ? {} : input,
    ...(!isOurs && { providerExecuted: true }),
    ...notes.with({ rest, form: input === undefined ? 'absent' : undefined }),
  }
}

function serverResult(block: Fields, names: ToolNames): AssistantPart | undefined {
  const { content } = block
  const type = textOf(block['type']) ?? ''
  const toolCallId = nameOf(block['tool_use_id'])
  if (toolCallId === undefined || !type.endsWith('_tool_result')) return undefined
  if (content === undefined) return undefined
  const toolName = names.get(toolCallId) ?? type.replace('_tool_result', '')
  const rest = restOf(block, ['tool_use_id', 'content'])
  const output = { type: 'json' as const, value: content }
  return { type: 'tool-result', toolCallId, toolName, output, ...notes.with({ rest }) }
}

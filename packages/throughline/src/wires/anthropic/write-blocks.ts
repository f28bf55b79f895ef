import { fieldsOf, type Fields } from '../../json/fields.ts'
import { knownAgain } from '../unknown-part.ts'
import { mediaBlock } from './media.ts'
import { notes } from './message.ts'
import { resultBlock } from './tool-results.ts'
import type { Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** A part as blocks of the Messages API; none if nothing is written for it. */
export function blocksOf(part: Part, place: string, writing: Writing): Fields[] {
  const noted = 'providerOptions' in part ? notes.of(part) : {}
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...fieldsOf(noted['rest']) }]
    case 'image':
    case 'file':
      return [knownAgain(part, notes) ?? mediaBlock(part, place, writing)]
    case 'tool-call':
      return [callBlock(part)]
    case 'tool-result':
      return [serverResultBlock(part) ?? resultBlock(part, place, writing)]
    case 'reasoning': {
      const block = reasoningBlock(part)
      if (block) return [block]
      break
    }
    case 'custom': {
      const known = knownAgain(part, notes)
      if (known) return [known]
      break
    }
  }
  const problem =
    part.type === 'reasoning'
      ? 'the Messages API rejects reasoning that it has not signed itself'
      : `the Messages API has no block for a part of type ${part.type}`
  const text = writing.instead({ place, problem })
  return text === undefined ? [] : [{ type: 'text', text }]
}

function reasoningBlock(part: ReasoningPart): Fields | undefined {
  const { signature, redactedData } = fieldsOf(part.providerOptions?.['anthropic']) ?? {}
  const { rest, form } = notes.of(part)
  if (typeof redactedData === 'string') {
    return { type: 'redacted_thinking', data: redactedData, ...fieldsOf(rest) }
  }
  const thinking = { type: 'thinking', thinking: part.text }
  if (typeof signature === 'string') return { ...thinking, signature, ...fieldsOf(rest) }
  return form === 'unsigned' ? { ...thinking, ...fieldsOf(rest) } : undefined
}

function callBlock(part: ToolCallPart): Fields {
  const { toolCallId: id, toolName: name, input } = part
  const { rest, form } = notes.of(part)
  const type = part.providerExecuted ? 'server_tool_use' : 'tool_use'
  return { type, id, name, ...(form !== 'absent' && { input }), ...fieldsOf(rest) }
}

/** The result of a call that the provider ran: its block has its own type. */
function serverResultBlock(part: ToolResultPart): Fields | undefined {
  const rest = fieldsOf(notes.of(part)['rest'])
  if (typeof rest?.['type'] !== 'string') return undefined
  const content = 'value' in part.output ? part.output.value : ''
  return { tool_use_id: part.toolCallId, content, ...rest }
}

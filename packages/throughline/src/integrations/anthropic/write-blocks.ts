import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { MessageConversionError } from '../shapes/errors.ts'
import { mediaBlock } from './sources.ts'
import { notes } from './notes.ts'
import { resultBlock } from './tool-results.ts'
import type { Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../log/message.ts'

/**
 * A part as a block of the Messages API.
 * @throws MessageConversionError if there is no such block.
 */
export function blockOf(part: Part, place: string): Fields {
  const { rest, block, form } = 'providerOptions' in part ? notes.of(part) : {}
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...fieldsOf(rest) }
    case 'image':
      return mediaBlock(part, place)
    case 'file':
      return (form === 'block' ? parsedBlock(part.data) : undefined) ?? mediaBlock(part, place)
    case 'reasoning':
      return reasoningBlock(part, place)
    case 'tool-call':
      return callBlock(part)
    case 'tool-result':
      return serverResultBlock(part) ?? resultBlock(part, place)
    case 'custom': {
      const known = fieldsOf(block)
      if (known) return known
      break
    }
  }
  const problem = `the Messages API has no block for a part of the type ${part.type}`
  throw new MessageConversionError({ place, problem })
}

/** What a user said that we had no word for; a redaction may have changed its text. */
function parsedBlock(data: unknown): Fields | undefined {
  const text = textOf(fieldsOf(data)?.['text'])
  try {
    return fieldsOf(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

function reasoningBlock(part: ReasoningPart, place: string): Fields {
  const { signature, redactedData } = fieldsOf(part.providerOptions?.['anthropic']) ?? {}
  const rest = fieldsOf(notes.of(part)['rest'])
  if (typeof redactedData === 'string') {
    return { type: 'redacted_thinking', data: redactedData, ...rest }
  }
  if (typeof signature === 'string') {
    return { type: 'thinking', thinking: part.text, signature, ...rest }
  }
  const problem = 'the Messages API takes no reasoning that it has not signed itself'
  throw new MessageConversionError({ place, problem })
}

function callBlock(part: ToolCallPart): Fields {
  const { toolCallId: id, toolName: name, input } = part
  const type = part.providerExecuted ? 'server_tool_use' : 'tool_use'
  return { type, id, name, input, ...fieldsOf(notes.of(part)['rest']) }
}

/** The result of a call that the provider ran: its block has a type of its own. */
function serverResultBlock(part: ToolResultPart): Fields | undefined {
  const rest = fieldsOf(notes.of(part)['rest'])
  if (typeof rest?.['type'] !== 'string') return undefined
  const content = 'value' in part.output ? part.output.value : ''
  return { tool_use_id: part.toolCallId, content, ...rest }
}

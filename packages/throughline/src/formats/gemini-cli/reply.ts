import { boundedValue, countOf, fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { partsOf } from './parts.ts'
import { callOutput } from './tool-output.ts'
import type { Usage } from '../../log/entry.ts'
import type { AssistantPart, ToolCallPart, ToolOutput } from '../../log/message.ts'

/** A reply of the model with what its calls gave. Its thoughts are for the screen alone. */
export interface GeminiReply {
  parts: AssistantPart[]
  results: { toolCallId: string; toolName: string; output: ToolOutput }[]
}

/** Some versions write a call twice: in the content, and with its result in the list of calls. */
export function replyOf(message: Fields): GeminiReply {
  const id = nameOf(message['id']) ?? 'call'
  const said = partsOf(message['content']).flatMap(contentPart)
  const parts: AssistantPart[] = []
  const known = new Set<string>()
  for (const part of said) {
    if (part.type === 'tool-call') known.add(part.toolCallId)
    parts.push(part)
  }
  const results: GeminiReply['results'] = []
  objectsOf(message['toolCalls']).forEach((call, index) => {
    const part = callPart(call, `${id}_${index}`)
    if (!part) return
    const { toolCallId, toolName } = part
    if (!known.has(toolCallId)) parts.push(part)
    const output = callOutput(call)
    if (output) results.push({ toolCallId, toolName, output })
  })
  return { parts, results }
}

function contentPart(part: Fields): AssistantPart[] {
  if (part['thought'] === true) return []
  const text = nameOf(part['text'])
  if (text) return [{ type: 'text', text }]
  const call = fieldsOf(part['functionCall'])
  // Without an id it is the list of calls that names it.
  const found = call && nameOf(call['id']) ? callPart(call, '') : undefined
  return found ? [{ ...found, ...sealOf(part) }] : []
}

function callPart(call: Fields, unnamed: string): ToolCallPart | undefined {
  const toolName = nameOf(call['name'])
  const toolCallId = nameOf(call['id']) ?? unnamed
  if (!toolName) return undefined
  const input = boundedValue(call['args'] ?? {})
  return { type: 'tool-call', toolCallId, toolName, input }
}

/** Gemini 3 wants to see its signature on a call again. */
function sealOf(part: Fields): Pick<ToolCallPart, 'providerOptions'> {
  const thoughtSignature = nameOf(part['thoughtSignature'])
  return thoughtSignature ? { providerOptions: { google: { thoughtSignature } } } : {}
}

/** The tokens of one reply; what was cached is part of the input. */
export function usageOf(value: unknown): Usage | undefined {
  const tokens = fieldsOf(value)
  const inputTokens = countOf(tokens?.['input'])
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(tokens?.['cached'])
  return {
    inputTokens,
    outputTokens: (countOf(tokens?.['output']) ?? 0) + (countOf(tokens?.['thoughts']) ?? 0),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}

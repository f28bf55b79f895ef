import { partsOf, type Message, type Part, type ToolResultPart } from '../../log/message.ts'
import { convertCall, type ConvertedCall, type ToolTables } from './convert-call.ts'
import { toldCall } from './told-call.ts'
import type { WrittenMessage } from '../writing/format-writer.ts'
import type { ToolTable } from './tool-table.ts'

/** The messages with calls of the new harness's tools alone; behind a step stand those in words. */
export function withOwnCalls(
  messages: readonly WrittenMessage[],
  tables: ToolTables,
): WrittenMessage[] {
  const converted = convertedCalls(messages, tables)
  return stepsOf(messages).flatMap((step) => [
    ...step.flatMap((written) => kept(written, converted)),
    ...told(step, converted, tables.from),
  ])
}

type Converted = ReadonlyMap<string, ConvertedCall>

/** By call id; ids are unique in a written session. */
function convertedCalls(messages: readonly WrittenMessage[], tables: ToolTables): Converted {
  const converted = new Map<string, ConvertedCall>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) {
      const call = part.type === 'tool-call' ? convertCall(part, tables) : undefined
      if (part.type === 'tool-call' && call) converted.set(part.toolCallId, call)
    }
  }
  return converted
}

/** Each message with the results that follow it. */
function stepsOf(messages: readonly WrittenMessage[]): WrittenMessage[][] {
  const steps: WrittenMessage[][] = []
  for (const written of messages) {
    const step = steps.at(-1)
    if (step && written.message.role === 'tool') step.push(written)
    else steps.push([written])
  }
  return steps
}

function kept(written: WrittenMessage, converted: Converted): WrittenMessage[] {
  const { message } = written
  if (typeof message.content === 'string') return [written]
  const content = partsOf(message).flatMap((part): Part[] => {
    if (part.type !== 'tool-call' && part.type !== 'tool-result') return [part]
    const call = converted.get(part.toolCallId)
    if (!call) return []
    return part.type === 'tool-call'
      ? [{ ...part, ...call }]
      : [{ ...part, toolName: call.toolName }]
  })
  return content.length === 0 ? [] : [{ ...written, message: { ...message, content } as Message }]
}

/** In a message of nobody's: what a model finds among its own words it would write again. */
function told(
  step: readonly WrittenMessage[],
  converted: Converted,
  from: ToolTable,
): WrittenMessage[] {
  const parts = step.flatMap(({ message }) => partsOf(message))
  const results = new Map<string, ToolResultPart>()
  for (const part of parts) if (part.type === 'tool-result') results.set(part.toolCallId, part)
  const texts = parts.flatMap((part) =>
    part.type === 'tool-call' && !converted.has(part.toolCallId)
      ? [toldCall(part, results.get(part.toolCallId), from)]
      : [],
  )
  if (texts.length === 0) return []
  const message: Message = { role: 'user', content: texts.join('\n\n') }
  return [{ message, origin: 'harness', at: step.at(-1)?.at ?? 0 }]
}

import { isFailed, outputWords } from '../writing/output-pieces.ts'
import type { ToolCallPart, ToolResultPart } from '../../log/message.ts'
import type { ToolTable } from './tool-table.ts'

/** A call and what came of it, in words. */
export function toldCall(
  { toolName, input }: ToolCallPart,
  result: ToolResultPart | undefined,
  { label }: ToolTable,
): string {
  const start = `In ${label} the tool ${toolName} was called with ${JSON.stringify(input)}`
  if (!result) return `[${start}.]`
  const how = isFailed(result.output) ? 'failed' : 'gave'
  return `[${start}. It ${how}:]\n${outputWords(result.output)}`
}

import type { TypedToolError, TypedToolResult, ToolSet } from 'ai'
import type { ToolOutput } from '../../log/message.ts'

/** A tool's output as the model reads it; the SDK doesn't export its own function for this. */
export async function toolOutput(
  result: TypedToolResult<ToolSet> | TypedToolError<ToolSet>,
  tools: ToolSet | undefined,
): Promise<ToolOutput> {
  if (result.type === 'tool-error') return { type: 'error-text', value: errorText(result.error) }
  const { toolCallId, input, output } = result
  const tool = tools?.[result.toolName]
  if (tool?.toModelOutput) return tool.toModelOutput({ toolCallId, input, output })
  if (typeof output === 'string') return { type: 'text', value: output }
  return { type: 'json', value: JSON.parse(JSON.stringify(output) ?? 'null') }
}

function errorText(error: unknown): string {
  if (error instanceof Error) return error.toString()
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error))
}

import { asSchema, type ToolSet, type TypedToolError, type TypedToolResult } from 'ai'
import { providerOptions } from './provider-options.ts'
import type { ToolOutput, ToolResultPart } from '../../log/message.ts'

export interface ToolSchema {
  name: string
  description?: string
  inputSchema: unknown
}

/**
 * The schemas of a set of tools, approximately as they are sent. A session needs them to measure a
 * request.
 * @example
 * const session = await openSession({ ...options, tools: await toolSchemas(tools) })
 */
export async function toolSchemas(tools: ToolSet): Promise<ToolSchema[]> {
  return Promise.all(
    Object.entries(tools).map(async ([name, tool]) => ({
      name,
      ...(typeof tool.description === 'string' && { description: tool.description }),
      inputSchema: tool.inputSchema ? await asSchema(tool.inputSchema).jsonSchema : {},
    })),
  )
}

/** A tool's output as the model reads it; the SDK doesn't export its own function for this. */
async function toolOutput(
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

export async function resultPart(
  result: TypedToolResult<ToolSet> | TypedToolError<ToolSet>,
  tools: ToolSet | undefined,
): Promise<ToolResultPart> {
  const { toolCallId, toolName, providerMetadata } = result
  const output = await toolOutput(result, tools)
  return { type: 'tool-result', toolCallId, toolName, output, ...providerOptions(providerMetadata) }
}

function errorText(error: unknown): string {
  if (error instanceof Error) return error.toString()
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error))
}

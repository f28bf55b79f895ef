import { asSchema, type ToolSet } from 'ai'

/** A tool as a provider receives it. */
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

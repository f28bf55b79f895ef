import { MissingMcpSdkError } from './errors.ts'

/** What is used of the SDK: nobody else has to load it, or to have it. */
export type McpSdk = Awaited<ReturnType<typeof modules>>

/** @throws MissingMcpSdkError if the peer is not installed. */
export async function loadMcpSdk(): Promise<McpSdk> {
  try {
    return await modules()
  } catch (cause) {
    throw new MissingMcpSdkError({ cause })
  }
}

async function modules() {
  const [{ Server }, { ReadBuffer, serializeMessage }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/shared/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const { CallToolRequestSchema, ListToolsRequestSchema, McpError, ErrorCode } = types
  return {
    Server,
    ReadBuffer,
    serializeMessage,
    CallToolRequestSchema,
    ListToolsRequestSchema,
    McpError,
    ErrorCode,
  }
}

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { sanitizeLine } from '../../log/sanitize.ts'
import { recallDescription, recallInputSchema, recallReply } from '../../session/recall/reply.ts'
import type { RecallReply } from '../../session/recall/reply.ts'
import type { RecallSource } from './recall-source.ts'

const toolName = 'recall'

const sessionField = {
  type: 'string',
  description: 'The id of a session; by default the most recently modified one.',
} as const

export interface RecallServerOptions {
  source: RecallSource
  version: string
  /** Called with errors other than the client's own mistakes. */
  onError: (error: unknown) => void
}

/** An MCP server with one tool, which reads back what was said in a session. */
export function recallServer({ source, version, onError }: RecallServerOptions): Server {
  const own = { name: 'throughline', version }
  const server = new Server(own, { capabilities: { tools: {} } })
  Object.assign(server, { onerror: onError })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [toolFor(source)] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name !== toolName) {
      const message = `There is no tool ${JSON.stringify(params.name)}: the only one is ${toolName}.`
      throw new McpError(ErrorCode.InvalidParams, message)
    }
    const reply = await replyFrom(source, params.arguments ?? {}, onError)
    return 'text' in reply
      ? { content: [{ type: 'text', text: reply.text }] }
      : { content: [{ type: 'text', text: reply.error }], isError: true }
  })
  return server
}

function toolFor({ choice }: RecallSource) {
  const { properties, ...schema } = recallInputSchema
  return {
    name: toolName,
    description: recallDescription,
    inputSchema: {
      ...schema,
      properties: choice === 'one' ? properties : { ...properties, session: sessionField },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}

/** A failing store must not end the server: both the model and the operator are told. */
async function replyFrom(
  source: RecallSource,
  { session, ...question }: Record<string, unknown>,
  onError: (error: unknown) => void,
): Promise<RecallReply> {
  const named = typeof session === 'string' && session !== '' ? session : undefined
  try {
    const found = await source.find(named)
    if (found) {
      const { store, session: id, find } = found
      return await recallReply(store, id, question, find && { find })
    }
    return { error: 'The store has no sessions yet, so there is nothing to recall.' }
  } catch (error) {
    onError(error)
    const reason = error instanceof Error ? error.message : String(error)
    return { error: `The session could not be read: ${sanitizeLine(reason)}` }
  }
}

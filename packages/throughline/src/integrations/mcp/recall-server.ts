import { fieldsOf, nameOf } from '../../json/fields.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { recallDescription, recallInputSchema, recallReply } from '../../session/recall/reply.ts'
import { McpRequestError } from './request-error.ts'
import type { McpServer } from './serve.ts'
import type { RecallReply } from '../../session/recall/reply.ts'
import type { Asker, RecallSource, StoredIn } from './recall-source.ts'

const toolName = 'recall'

const sessionField = {
  type: 'string',
  description: 'The id of another session of this project; by default this session.',
} as const

export interface RecallServerOptions {
  source: RecallSource
  version: string
  /** What the agent may ask for besides. */
  tools?: readonly ServedTool[]
  /** Called with errors other than the client's own mistakes. */
  onError: (error: unknown) => void
}

/** An MCP server whose tool `recall` reads back what was said in a session, and tools beside it. */
export function recallServer({
  source,
  version,
  tools = [],
  onError,
}: RecallServerOptions): McpServer {
  return {
    name: 'throughline',
    version,
    tools: [toolFor(source), ...tools.map(listed)],
    async call(params, client) {
      const tool = tools.find(({ name }) => name === params['name'])
      if (!tool && params['name'] !== toolName) {
        const all = [toolName, ...tools.map(({ name }) => name)].join(', ')
        const message = `There is no tool ${JSON.stringify(params['name'])}, but there is: ${all}.`
        throw new McpRequestError('INVALID_PARAMS', message)
      }
      const meta = fieldsOf(params['_meta']) ?? {}
      const asker = { client, meta, input: params['arguments'] ?? {} }
      const reply = await replyFrom({ source, tool }, asker, onError)
      return 'text' in reply
        ? { content: [{ type: 'text', text: reply.text }] }
        : { content: [{ type: 'text', text: reply.error }], isError: true }
    },
    onError,
  }
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

function listed({ name, description, schema }: ServedTool) {
  return {
    name,
    description,
    inputSchema: { type: 'object', ...schema },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  }
}

const nothingYet =
  'This session has not been written yet, so there is nothing to recall. Ask again after your next step.'

function notInProject(session: string): string {
  return `This project has no session ${JSON.stringify(sanitizeLine(session.slice(0, 60)))}. Leave out session to ask this one.`
}

/** A failing store must not end the server: both the model and the operator are told. */
async function replyFrom(
  { source, tool }: { source: RecallSource; tool: ServedTool | undefined },
  asker: Asker,
  onError: (error: unknown) => void,
): Promise<RecallReply> {
  const { session, ...question } = fieldsOf(asker.input) ?? {}
  // Of another session, an agent may read, and nothing else.
  const named = tool ? undefined : nameOf(session)
  try {
    const found = await source.find(named, asker)
    if (!found) return { error: named === undefined ? nothingYet : notInProject(named) }
    if (tool) return await tool.reply(found, question)
    const { store, session: id, find, note } = found
    const reply = await recallReply(store, id, question, find && { find })
    return note !== undefined && 'text' in reply ? { text: `${note}\n\n${reply.text}` } : reply
  } catch (error) {
    onError(error)
    const reason = error instanceof Error ? error.message : String(error)
    return { error: `The session could not be read: ${sanitizeLine(reason)}` }
  }
}

/** A tool that a server offers beside `recall`. */
export interface ServedTool {
  name: string
  description: string
  schema: object
  reply: (found: StoredIn, input: unknown) => Promise<{ text: string } | { error: string }>
}

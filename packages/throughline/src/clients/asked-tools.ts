import { agentTools } from './agent-tools.ts'
import { noteAsked } from './asked.ts'
import { ownIdOf, recordedSession } from './recorded-session.ts'
import { pinReply } from '../session/agent/pin-tool.ts'
import { compactReply } from '../session/agent/compact-tool.ts'
import { fieldsOf, textOf } from '../json/fields.ts'
import type { ServedTool } from '../integrations/mcp/recall-server.ts'

type Environment = Readonly<Record<string, string | undefined>>

// No server can make its client compact.
const noted =
  'Requested: this client compacts when its window is full or when its user asks for it, and takes what you said into account then.'

/**
 * The agent's own tools where Throughline is at work through the hooks of a client: what is asked
 * for over MCP is done at the next compaction.
 */
export function askedTools(client: string, env: Environment, now: () => number): ServedTool[] {
  const replies: Record<string, ServedTool['reply']> = {
    async compact(found, input) {
      const reply = compactReply(await recordedSession(found, client, env), input)
      if ('error' in reply) return reply
      noteAsked(client, env, { at: now(), session: ownIdOf(found), compact: reply.asked })
      return { text: noted }
    },
    async pin(found, input) {
      const reply = await pinReply(await recordedSession(found, client, env), input)
      const pin = textOf(fieldsOf(input)?.['text'])?.trim()
      if ('error' in reply || !pin) return reply
      noteAsked(client, env, { at: now(), session: ownIdOf(found), pin })
      return reply
    },
  }
  return agentTools.flatMap(({ name, description, schema }) => {
    const reply = replies[name]
    return reply ? [{ name, description, schema, reply }] : []
  })
}

import {
  compactDescription,
  compactInputSchema,
  compactReply,
} from '../../session/agent/compact-tool.ts'
import { pinDescription, pinInputSchema, pinReply } from '../../session/agent/pin-tool.ts'
import { recallDescription, recallInputSchema, recallReply } from '../../session/recall/reply.ts'
import type { ClientSession } from '../client-session.ts'
import type { ClientSettings } from '../settings.ts'
import type { OpencodeSessions } from './sessions.ts'

type Reply = { text: string } | { error: string }

interface AgentTool {
  description: string
  schema: object
  reply: (at: ClientSession, input: unknown) => Promise<Reply>
}

const tools: Readonly<Record<string, AgentTool>> = {
  recall: {
    description: recallDescription,
    schema: recallInputSchema,
    reply: ({ hosted }, input) => recallReply(hosted.store, hosted.session.id, input),
  },
  compact: {
    description: compactDescription,
    schema: compactInputSchema,
    async reply(at, input) {
      const reply = compactReply(at.session, input)
      if ('asked' in reply) at.asked = reply.asked
      return reply
    },
  },
  pin: {
    description: pinDescription,
    schema: pinInputSchema,
    reply: ({ session }, input) => pinReply(session, input),
  },
}

/** The tools of the agent for opencode 1, which takes schemas apart from definitions. */
export function agentTools({
  sessions,
  settings,
}: {
  sessions: OpencodeSessions
  settings: () => ClientSettings
}) {
  const definitions = Object.entries(tools).map(([name, { description, reply }]) => {
    const execute = async (input: unknown, { sessionID }: { sessionID: string }) => {
      const open = await sessions.known(sessionID)
      if (!open || settings().off) return 'Throughline is off here.'
      const said = await reply(open.at, input)
      return 'text' in said ? said.text : said.error
    }
    return [name, { description, args: {}, execute }] as const
  })
  const schemas = new Map(Object.entries(tools).map(([name, { schema }]) => [name, schema]))
  return { tool: Object.fromEntries(definitions), schemas }
}

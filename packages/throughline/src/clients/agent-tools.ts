import {
  compactDescription,
  compactInputSchema,
  compactReply,
} from '../session/agent/compact-tool.ts'
import { pinDescription, pinInputSchema, pinReply } from '../session/agent/pin-tool.ts'
import { recallDescription, recallInputSchema, recallReply } from '../session/recall/reply.ts'
import type { OwnSession } from './command.ts'

export interface AgentTool {
  name: string
  description: string
  schema: object
  reply: (at: OwnSession, input: unknown) => Promise<{ text: string } | { error: string }>
}

/** The tools of the agent, the same in every client. */
export const agentTools: readonly AgentTool[] = [
  {
    name: 'recall',
    description: recallDescription,
    schema: recallInputSchema,
    reply: ({ hosted, session }, input) => recallReply(hosted.store, session.id, input),
  },
  {
    name: 'compact',
    description: compactDescription,
    schema: compactInputSchema,
    async reply(at, input) {
      const reply = compactReply(at.session, input)
      if ('asked' in reply) at.asked = reply.asked
      return reply
    },
  },
  {
    name: 'pin',
    description: pinDescription,
    schema: pinInputSchema,
    reply: ({ session }, input) => pinReply(session, input),
  },
]

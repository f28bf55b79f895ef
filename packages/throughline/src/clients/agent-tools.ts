import {
  compactDescription,
  compactInputSchema,
  compactReply,
} from '../session/agent/compact-tool.ts'
import { foldDescription, foldInputSchema, foldReply } from '../session/agent/fold-tool.ts'
import { pinDescription, pinInputSchema, pinReply } from '../session/agent/pin-tool.ts'
import { recallDescription, recallInputSchema, recallReply } from '../session/recall/reply.ts'
import type { OwnSession } from './command.ts'
import type { ClientSettings } from './settings.ts'

export interface AgentTool {
  name: string
  description: string
  schema: object
  reply: (at: OwnSession, input: unknown) => Promise<{ text: string } | { error: string }>
}

const always: readonly AgentTool[] = [
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

const fold: AgentTool = {
  name: 'fold',
  description: foldDescription,
  schema: foldInputSchema,
  reply: async ({ session }, input) => foldReply(session, input),
}

/** The tools of the agent, the same in every client; `fold` where the user has turned it on. */
export function agentToolsFor(settings: Pick<ClientSettings, 'fold'>): readonly AgentTool[] {
  return settings.fold ? [...always, fold] : always
}

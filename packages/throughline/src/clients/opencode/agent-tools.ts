import { agentTools } from '../agent-tools.ts'
import type { ClientSettings } from '../settings.ts'
import type { OpencodeSessions } from './sessions.ts'

/** The schemas of the agent's tools: opencode 1 takes them apart from the definitions. */
export const schemas = new Map(agentTools.map(({ name, schema }) => [name, schema]))

/** The tools of the agent for opencode 1. */
export function toolsFor(sessions: OpencodeSessions, settings: () => ClientSettings) {
  const definitions = agentTools.map(({ name, description, reply }) => {
    const execute = async (input: unknown, { sessionID }: { sessionID: string }) => {
      const open = await sessions.known(sessionID)
      if (!open || settings().off) return 'Throughline is off here.'
      const said = await reply(open.at, input)
      return 'text' in said ? said.text : said.error
    }
    return [name, { description, args: {}, execute }] as const
  })
  return Object.fromEntries(definitions)
}

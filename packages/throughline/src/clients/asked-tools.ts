import { agentToolsFor } from './agent-tools.ts'
import { clientSettings } from './settings.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { foldNoted, foldReply } from '../session/agent/fold-tool.ts'
import { askedIn, noteAsked } from './asked.ts'
import { openSession, type Session } from '../session/session.ts'
import { agentsPin, pinReply } from '../session/agent/pin-tool.ts'
import { compactReply } from '../session/agent/compact-tool.ts'
import { fieldsOf, textOf } from '../json/fields.ts'
import { windowOf } from '../tokens/windows.ts'
import type { ServedTool } from '../integrations/mcp/recall-server.ts'
import type { StoredIn } from '../integrations/mcp/recall-source.ts'

type Environment = Readonly<Record<string, string | undefined>>

const usualWindow = { context: 200_000 }

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
      const reply = compactReply(await sessionIn(found, client, env), input)
      if ('error' in reply) return reply
      noteAsked(client, env, { at: now(), session: nameOf(found), compact: reply.asked })
      return { text: noted }
    },
    async pin(found, input) {
      const reply = await pinReply(await sessionIn(found, client, env), input)
      const pin = textOf(fieldsOf(input)?.['text'])?.trim()
      if ('error' in reply || !pin) return reply
      noteAsked(client, env, { at: now(), session: nameOf(found), pin })
      return reply
    },
    async fold(found, input) {
      const reply = foldReply(await sessionIn(found, client, env), input)
      if ('error' in reply || !reply.closed) return reply
      noteAsked(client, env, { at: now(), session: nameOf(found), learned: reply.closed })
      return { text: foldNoted }
    },
  }
  return agentToolsFor(clientSettings(client, env)).flatMap(({ name, description, schema }) => {
    const reply = replies[name]
    return reply ? [{ name, description, schema, reply }] : []
  })
}

function nameOf({ own, session }: StoredIn): string {
  return own ?? session
}

/** The session with what its agent has pinned before: its client's file holds none of it. */
async function sessionIn(found: StoredIn, client: string, env: Environment): Promise<Session> {
  const { store, session: id } = found
  const newest = (await store.read(id, { kinds: ['message'] })).findLast(
    (entry) => entry.kind === 'message' && entry.model !== undefined,
  )
  const model = newest?.kind === 'message' ? newest.model : undefined
  const session = await openSession({
    store,
    id,
    policy: { ...defaultPolicy, foldTool: 'fold' },
    window: (model !== undefined && windowOf(model)) || usualWindow,
    ...(model !== undefined && { model }),
  })
  const known = new Set([...session.context().pins.values()].map(({ text }) => text))
  for (const pin of askedIn(client, env, { session: nameOf(found) }).pins) {
    if (!known.has(agentsPin + pin)) await session.pin(agentsPin + pin)
  }
  return session
}

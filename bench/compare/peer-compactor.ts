import { defaultPolicy, type Entry, type Message } from 'throughline'
import {
  chronological,
  contextOf,
  logOf,
  renderContext,
  summaryRoleOf,
  type Chronological,
} from 'throughline/engine'
import type { Compactor } from 'throughline/evaluation'
import type { Asked } from '../peers/stand-in.ts'
import type { Peer } from './peer.ts'

/** What a peer hands on to its next compaction, by the first entry of the log that it left. */
const states = new WeakMap<Entry, unknown>()

/** A peer as the measures take a compactor: it sees every message of the log, and nothing else. */
export function peerCompactor(peer: Peer, onAsked: (asked: Asked) => void = () => {}): Compactor {
  return {
    name: peer.about.name,
    compact: async ({ log, keep }) => {
      const messages = messagesOf(log)
      const first = log[0]
      const state = first && states.get(first)
      const reply = await peer.ask({ type: 'compact', request: { messages, keep, state } })
      if (reply.type !== 'compacted') {
        throw new Error(reply.type === 'failed' ? reply.problem : `It answered ${reply.type}.`)
      }
      for (const asked of reply.asked) onAsked(asked)
      const after = logOf(reply.answer.messages)
      if (after[0]) states.set(after[0], reply.answer.state)
      return { log: after, summary: reply.answer.summary, messages: reply.answer.messages }
    },
  }
}

/** What was said, as a provider takes it; what the session's own harness had compacted is whole. */
export function messagesOf(log: Chronological): readonly Message[] {
  const said = chronological(log.filter(({ kind }) => kind === 'message'))
  const { items } = contextOf(said)
  return renderContext(items, summaryRoleOf(defaultPolicy)).messages.flatMap(resultsApart)
}

/** Results of calls that a provider ran itself, in separate messages like all others. */
function resultsApart(message: Message): Message[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return [message]
  const results = message.content.filter((part) => part.type === 'tool-result')
  if (results.length === 0) return [message]
  const content = message.content.filter((part) => part.type !== 'tool-result')
  return [
    { ...message, content },
    { role: 'tool', content: results },
  ]
}

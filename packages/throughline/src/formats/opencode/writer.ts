import { ascendingIds, sessionId } from './written-ids.ts'
import { messageText } from '../../log/message-text.ts'
import { saidIn, type Said } from './written-messages.ts'
import type { Fields } from './written-parts.ts'
import type { FormatWriter, Identity, WrittenSession } from '../writing/format-writer.ts'

/** Writes the document that `opencode import` takes: a compaction of its own kind, then the rest. */
export const opencodeWriter: FormatWriter = {
  name: 'opencode',
  write(session, identity) {
    const { now, directory } = identity
    const id = sessionId(identity)
    const info = {
      id,
      slug: id,
      // opencode puts its own here when it imports the session.
      projectID: 'global',
      directory,
      title: titleOf(session),
      version: '1.18.33',
      time: { created: now, updated: now },
    }
    const messages = placed(saidIn(session, identity), identity)
    return { session: id, text: `${JSON.stringify({ info, messages }, null, 2)}\n` }
  },
}

const longestTitle = 60

function titleOf({ messages }: WrittenSession): string {
  const asked = messages.find(({ origin }) => origin === 'human')
  const words = asked === undefined ? '' : messageText(asked.message)
  return words.slice(0, longestTitle).replace(/\s+/g, ' ').trim() || 'Compacted session'
}

/** What was said, each with its ids; opencode sorts by times first, so they never go back. */
function placed(all: readonly Said[], identity: Identity): Fields[] {
  const nextId = ascendingIds(identity)
  const sessionID = sessionId(identity)
  let at = 0
  let parentID = ''
  return all.map(({ role, parts, info, ...said }) => {
    at = Math.max(at, said.at)
    const id = nextId('msg')
    if (role === 'user' || parentID === '') parentID = id
    const stamp = (part: Fields): Fields => {
      const whole = { ...part, id: nextId('prt'), sessionID, messageID: id }
      const { state } = part as { state?: { attachments?: Fields[] } }
      if (!state?.attachments) return whole
      return { ...whole, state: { ...state, attachments: state.attachments.map(stamp) } }
    }
    const time = role === 'user' ? { created: at } : { created: at, completed: at }
    const reply = role === 'assistant' && { parentID }
    return { info: { id, sessionID, role, time, ...reply, ...info }, parts: parts.map(stamp) }
  })
}

import { newAsides } from '../conversation/asides.ts'
import { newSessionState, type SessionState } from '../conversation/session-state.ts'
import { nameOf, objectsOf, textOf } from '../../json/fields.ts'
import { madeParts, saidParts } from '../conversation/user-messages.ts'
import type { Asides } from '../conversation/asides.ts'
import type { Seq } from '../../log/entry.ts'
import type { Fields } from '../../json/fields.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { UserPart } from '../../log/message.ts'

/** What is known while events are read. */
export interface State extends SessionState {
  asides: Asides
  /** What the human said, oldest first: a compaction keeps it. */
  humans: Seq[]
  /** By a user's event: the newest entry before it. */
  before: Map<string, Seq>
  /** The newest reply. */
  reply: Seq
  /** The newest entry when the compaction began: the conversation continues in the meantime. */
  compacting: Seq | undefined
}

export function newState(): State {
  const humans: Seq[] = []
  const session = newSessionState((seq, draft) => {
    if (draft.kind === 'message' && draft.origin === 'human') humans.push(seq)
  })
  return {
    ...session,
    asides: newAsides(session.conversation),
    humans,
    before: new Map(),
    reply: 0,
    compacting: undefined,
  }
}

/**
 * A user's event as the model saw it: what the human typed is inside the sent text, between what
 * Copilot added around it. Events with a source of their own come entirely from Copilot.
 */
export function userParts(data: Fields): OriginPart[] {
  const typed = textOf(data['content']) ?? ''
  const sent = nameOf(data['transformedContent']) ?? typed
  const source = nameOf(data['source'])
  const human = source === undefined || source === 'user'
  const origin = human ? 'human' : 'harness'
  const media = objectsOf(data['attachments']).flatMap(mediaPart)
  return [
    ...(human ? apart(sent, typed) : harness(sent)),
    ...media.map((part) => ({ origin, part }) as const),
  ]
}

/**
 * What was typed stands in what was sent, among what Copilot added. Where it does not, Copilot has
 * sent something else in its place.
 */
function apart(sent: string, typed: string): OriginPart[] {
  const said = typed.trim() === '' ? [] : saidParts(typed)
  const start = typed.trim() === '' ? -1 : sent.indexOf(typed)
  if (start < 0) return typed.trim() === '' ? harness(sent) : [...harness(sent), ...said]
  return [...harness(sent.slice(0, start)), ...said, ...harness(sent.slice(start + typed.length))]
}

function harness(text: string): OriginPart[] {
  return text.trim() === '' ? [] : madeParts(text)
}

/** Data that is in the session itself; files are named in the text. */
function mediaPart(attachment: Fields): UserPart[] {
  const data = nameOf(attachment['data'])
  const mediaType = nameOf(attachment['mimeType'])
  if (attachment['type'] !== 'blob' || !data || !mediaType) return []
  if (mediaType.startsWith('image/')) return [{ type: 'image', image: data, mediaType }]
  const filename = nameOf(attachment['displayName'])
  return [{ type: 'file', data, mediaType, ...(filename && { filename }) }]
}

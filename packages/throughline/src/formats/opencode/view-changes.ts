import { fieldsOf, nameOf, objectsOf, timeOf, type Fields } from '../../json/fields.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { userParts } from './user-parts.ts'
import type { Continuation } from '../../log/entry.ts'
import type { Marker } from './state.ts'

/** How the view changed, read from a session's messages before any is added. */
export interface ViewChanges {
  /** By the compaction's marker: the message that holds its summary. */
  summaryOf: ReadonlyMap<string, Fields>
  /** By the position of a message: the calls whose outputs were cleared before it. */
  clearedBefore: ReadonlyMap<number, Cleared[]>
}

/** A call whose output was cleared, and when. */
export interface Cleared {
  call: string
  at: number
}

export function viewChanges(messages: readonly Fields[]): ViewChanges {
  return { summaryOf: summaries(messages), clearedBefore: cleared(messages) }
}

/** A compaction has happened when its summary is whole; a failed one changed nothing. */
function summaries(messages: readonly Fields[]): Map<string, Fields> {
  const markers = new Set<string>()
  const found = new Map<string, Fields>()
  for (const message of messages) {
    const info = fieldsOf(message['info'])
    const id = nameOf(info?.['id'])
    if (id && compactionPart(message)) markers.add(id)
    const parent = nameOf(info?.['parentID'])
    if (!info || !parent || !markers.has(parent) || found.has(parent)) continue
    if (info['summary'] === true && nameOf(info['finish']) && !info['error']) {
      found.set(parent, message)
    }
  }
  return found
}

/** The part of a user's message that asks for a compaction. */
export function compactionPart(message: Fields): Fields | undefined {
  if (fieldsOf(message['info'])?.['role'] !== 'user') return undefined
  return objectsOf(message['parts']).find((part) => part['type'] === 'compaction')
}

/** opencode notes on each output when it was cleared, not where in the conversation. */
function cleared(messages: readonly Fields[]): Map<number, Cleared[]> {
  const clock = clockOf(messages)
  const found = new Map<number, Cleared[]>()
  messages.forEach((message, index) => {
    for (const part of objectsOf(message['parts'])) {
      const at = timeOf(fieldsOf(fieldsOf(part['state'])?.['time'])?.['compacted'])
      const call = nameOf(part['callID'])
      if (part['type'] !== 'tool' || at === undefined || !call) continue
      const position = firstAfter(clock, index, at)
      const calls = found.get(position)
      if (calls) calls.push({ call, at })
      else found.set(position, [{ call, at }])
    }
  })
  return found
}

/** By message: the latest time at which it or one before it was made. */
function clockOf(messages: readonly Fields[]): number[] {
  let latest = 0
  return messages.map((message) => {
    const time = fieldsOf(fieldsOf(message['info'])?.['time'])
    latest = Math.max(latest, timeOf(time?.['created']) ?? 0)
    return latest
  })
}

/**
 * The first message after `index` that was made after `at`; found in few steps, because times only
 * grow.
 */
function firstAfter(clock: readonly number[], index: number, at: number): number {
  let low = index + 1
  let high = clock.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((clock[middle] ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}

/** How opencode makes the agent continue after a compaction of its own. */
const continueText = 'Continue if you have next steps'

/**
 * Whether this message is the continuation that opencode made for this compaction: it says
 * `continue`, or repeats the request that was too large.
 */
export function continuationOf(marker: Marker, message: Fields | undefined): Continuation | null {
  const info = fieldsOf(message?.['info'])
  if (!message || info?.['role'] !== 'user') return null
  const texts = objectsOf(message['parts'])
  const parts = userParts(texts)
  const [draft, ...more] = userMessages(parts, 0)
  if (draft?.message.role !== 'user' || more.length > 0) return null
  const found = { message: draft.message, metadata: { compaction_continue: true } }
  if (texts.some(saysContinue)) return { kind: 'mid-task', ...found }
  const { asked, part } = marker
  if (part['overflow'] !== true || !asked || wordsOf(parts) !== asked.words) return null
  const media = parts.some(isAttached)
  if (!media) return { kind: 'unanswered', ...found, of: asked.seq }
  const metadata = { ...found.metadata, had_media: true }
  return { kind: 'media', ...found, metadata, of: asked.seq }
}

function saysContinue(part: Fields): boolean {
  if (part['synthetic'] !== true) return false
  if (fieldsOf(part['metadata'])?.['compaction_continue'] === true) return true
  return nameOf(part['text'])?.startsWith(continueText) === true
}

/** The human's words, without the replacements for media. */
export function wordsOf(parts: readonly OriginPart[]): string {
  return parts
    .flatMap((given) =>
      given.origin === 'human' && given.part.type === 'text' && !isAttached(given)
        ? [given.part.text]
        : [],
    )
    .join('\n')
}

function isAttached({ part }: OriginPart): boolean {
  return part.type === 'text' && part.text.startsWith('[Attached ')
}

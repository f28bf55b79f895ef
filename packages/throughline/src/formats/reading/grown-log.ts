import { partsOf, type Part } from '../../log/message.ts'
import type { EntryDraft, Seq } from '../../log/entry.ts'

/** The finished drafts of a reader, and the seq that the newest of them will have. */
export interface DraftQueue {
  ready: EntryDraft[]
  given: Seq
}

export function draftQueue(): DraftQueue {
  return { ready: [], given: 0 }
}

/** Adds a draft and returns its future seq. */
export function give(queue: DraftQueue, draft: EntryDraft): Seq {
  queue.ready.push(draft)
  return ++queue.given
}

const none: EntryDraft[] = []

/** The drafts finished since the last call. */
export function takeReady(queue: DraftQueue): EntryDraft[] {
  if (queue.ready.length === 0) return none
  const { ready } = queue
  queue.ready = []
  return ready
}

/**
 * The entries of a session in which each request repeats everything said before. Known entries are
 * stored as one number each, so that the log itself needn't be kept.
 */
export interface GrownLog {
  drafts: DraftQueue
  /** The active entries: their content as a number, and their positions. */
  known: { key: number; seq: Seq }[]
}

export function newGrownLog(drafts: DraftQueue): GrownLog {
  return { drafts, known: [] }
}

export function addDraft(log: GrownLog, draft: EntryDraft): void {
  const base = log.drafts.given
  const based = draft.kind === 'checkpoint' ? { ...draft, base } : draft
  log.known.push({ key: keyOf(draft), seq: give(log.drafts, based) })
}

/**
 * Adds what a whole conversation contains beyond what is known. If it differs, the session went
 * back first. Returns false and adds nothing if it begins differently altogether, because then it
 * isn't this session's.
 */
export function addConversation(log: GrownLog, drafts: readonly EntryDraft[], at: number): boolean {
  const { known } = log
  const first = drafts.findIndex((draft, index) => known[index]?.key !== keyOf(draft))
  const same = first < 0 ? drafts.length : first
  if (same === 0 && known.length > 0 && drafts[0]?.kind !== 'checkpoint') return false
  if (same > 0 && same < known.length) {
    give(log.drafts, { kind: 'rewind', at, to: known[same - 1]?.seq ?? 0 })
    known.length = same
  }
  for (const draft of drafts.slice(same)) addDraft(log, draft)
  return true
}

/** Equal, except by bad luck, for entries that say the same to the model. */
export function keyOf(draft: EntryDraft): number {
  if (draft.kind === 'checkpoint') return hashOf(`summary ${draft.summary}`)
  if (draft.kind !== 'message') return hashOf(draft.kind)
  const { message } = draft
  const parts = partsOf(message).map((part) => partKey(part, message.role))
  return hashOf([message.role, ...parts.filter((part) => part !== '')].join('\u0000'))
}

/** A request doesn't repeat all reasoning or everything its answer contained besides. */
function partKey(part: Part, role: string): string {
  switch (part.type) {
    case 'text':
      return `text ${part.text.trim()}`
    case 'tool-call':
      return part.providerExecuted ? '' : `call ${part.toolCallId}`
    case 'tool-result':
      return role === 'tool' ? `result ${part.toolCallId}` : ''
    case 'reasoning':
      return ''
    default:
      return part.type
  }
}

/** A 53-bit number, computed in one pass over the text. */
function hashOf(text: string): number {
  let high = 0x811c9dc5
  let low = 0x1b873593
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 15
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0)
}

import { carriesMedia } from '../clip/describe-media.ts'
import { partsOf, type Message, type Part } from '../../log/message.ts'
import { isReasoning, keepsReasoning } from '../../log/context/kept-reasoning.ts'
import { readingItems } from '../../log/context/known-items.ts'
import { ref } from '../../log/ref.ts'
import type { ContextItem, MessageItem } from '../../log/context/context-item.ts'
import type { Dropped } from './dropped.ts'
import type { Ref, Seq } from '../../log/entry.ts'
import type { ModelOrder } from '../../log/order.ts'

/** What is in one context and not in the next. */
export function droppedBetween(
  before: ModelOrder,
  after: ModelOrder,
  protectedTools: readonly string[],
): Dropped {
  const stays = new Map<Seq, ContextItem>()
  for (const item of after) stays.set(seqOf(item), item)
  const oldest = after.reduce((seq, item) => Math.min(seq, seqOf(item)), Infinity)
  const seen = seenIn(before)
  const names = new Set(protectedTools.map((tool) => tool.toLowerCase()))
  const isProtected = new Set([...seen.tools].filter((tool) => names.has(tool.toLowerCase())))
  const skills: Ref[] = []
  return {
    media: goneOf(seen.media),
    reasoning: goneOf(seen.reasoning),
    results: goneOf(seen.results),
    skills,
    humanMessages: goneOf(seen.humanMessages),
  }

  /** Most of what is gone was said before anything that stays. */
  function goneOf(all: readonly Seen[]): Ref[] {
    const gone: Ref[] = []
    for (const one of all) {
      if (one.seq >= oldest && isStillSeen(stays.get(one.seq), one)) continue
      if (isProtected.has(one.tool)) skills.push(one.ref)
      else gone.push(one.ref)
    }
    return gone
  }
}

/** A part of a message that the model sees, or a whole one. */
interface Seen {
  ref: Ref
  seq: Seq
  /** Where it is in its message. */
  at: number
  part: Part | undefined
  /** The tool whose result it is; otherwise empty. */
  tool: string
}

/** What a context holds of each kind, in its order. */
interface SeenInContext extends Record<Exclude<keyof Dropped, 'skills'>, Seen[]> {
  tools: Set<string>
}

/** A session that asks while it grows spares its compactions the reading. */
export const seenIn = readingItems<SeenInContext>({
  nothing: () => ({
    media: [],
    reasoning: [],
    results: [],
    humanMessages: [],
    tools: new Set(),
  }),
  note: (seen, item) => {
    if (item.type !== 'message') return
    const { seq, message, origin } = item
    if (origin === 'human') {
      seen.humanMessages.push({ ref: ref(seq), seq, at: 0, part: undefined, tool: '' })
    }
    // No text is dropped by itself.
    if (typeof message.content === 'string') return
    for (let at = 0; at < message.content.length; at++) {
      const part = message.content[at] as Part
      const kind = kindOf(part, item)
      if (kind === undefined) continue
      const tool = kind === 'results' && part.type === 'tool-result' ? part.toolName : ''
      if (tool !== '') seen.tools.add(tool)
      seen[kind].push({ ref: ref(seq, at), seq, at, part, tool })
    }
  },
  copy: ({ media, reasoning, results, humanMessages, tools }) => ({
    media: media.slice(),
    reasoning: reasoning.slice(),
    results: results.slice(),
    humanMessages: humanMessages.slice(),
    tools: new Set(tools),
  }),
})

/** The entry that an item shows: a continuation shows the message that it repeats. */
function seqOf(item: ContextItem): Seq {
  return item.type === 'continuation' ? (item.continuation.of ?? item.seq) : item.seq
}

function kindOf(part: Part, item: MessageItem): 'reasoning' | 'media' | 'results' | undefined {
  if (isReasoning(part)) return keepsReasoning(item) ? 'reasoning' : undefined
  if (carriesMedia(part)) return 'media'
  return part.type === 'tool-result' ? 'results' : undefined
}

/** Whether the item that stands for an entry shows this of it. */
function isStillSeen(kept: ContextItem | undefined, { at, part: before }: Seen): boolean {
  if (kept === undefined) return false
  if (before === undefined) return true
  const message = messageOf(kept)
  const part = message && partsOf(message)[at]
  if (part === undefined) return false
  if (isReasoning(before)) return kept.type === 'message' && keepsReasoning(kept)
  if (carriesMedia(before)) return carriesMedia(part)
  if (kept.type !== 'message') return true
  return (
    kept.replacements?.every(
      ({ ref: own, how }) => own !== ref(kept.seq, at) || how !== 'pruned',
    ) ?? true
  )
}

function messageOf(item: ContextItem): Message | undefined {
  if (item.type === 'message' || item.type === 'late') return item.message
  return item.type === 'continuation' ? item.continuation.message : undefined
}

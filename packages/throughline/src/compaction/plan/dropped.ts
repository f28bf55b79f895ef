import { carriesMedia } from '../clip/describe-media.ts'
import { partsOf } from '../../log/message.ts'
import { isReasoning, keepsReasoning } from '../../log/context/kept-reasoning.ts'
import { ref } from '../../log/ref.ts'
import type { ContextItem, MessageItem } from '../../log/context/context-item.ts'
import type { Ref, Seq } from '../../log/entry.ts'
import type { Message, Part } from '../../log/message.ts'
import type { ModelOrder } from '../../log/order.ts'

/**
 * What the model saw and does not see any more, by kind: refs that read each of it back. A part
 * that is clipped is still seen in part, and is not listed.
 */
export interface Dropped {
  /** Images, files, and results that carry some. */
  media: Ref[]
  reasoning: Ref[]
  /** Results of tools, but for those of protected ones. */
  results: Ref[]
  /** Results of protected tools, such as skills: instructions to the agent. */
  skills: Ref[]
  /** What a human said. */
  humanMessages: Ref[]
}

export const nothingDropped: Dropped = {
  media: [],
  reasoning: [],
  results: [],
  skills: [],
  humanMessages: [],
}

/** What is in one context and not in the next. */
export function droppedBetween(
  before: ModelOrder,
  after: ModelOrder,
  protectedTools: readonly string[],
): Dropped {
  const dropped: Dropped = {
    media: [],
    reasoning: [],
    results: [],
    skills: [],
    humanMessages: [],
  }
  const stays = new Map<Seq, ContextItem>()
  for (const item of after) stays.set(seqOf(item), item)
  const names = new Set(protectedTools.map((tool) => tool.toLowerCase()))
  const isProtected = (tool: string): boolean => names.has(tool.toLowerCase())
  for (const item of before) {
    if (item.type !== 'message') continue
    const kept = stays.get(item.seq)
    if (item.origin === 'human' && kept === undefined) dropped.humanMessages.push(ref(item.seq))
    const parts = partsOf(item.message)
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as Part
      const kind = kindOf(part, item, isProtected)
      if (kind !== undefined && !isStillSeen(kept, index, part)) {
        dropped[kind].push(ref(item.seq, index))
      }
    }
  }
  return dropped
}

/** The entry that an item shows: a continuation shows the message that it repeats. */
function seqOf(item: ContextItem): Seq {
  return item.type === 'continuation' ? (item.continuation.of ?? item.seq) : item.seq
}

function kindOf(
  part: Part,
  item: MessageItem,
  isProtected: (tool: string) => boolean,
): Exclude<keyof Dropped, 'humanMessages'> | undefined {
  if (isReasoning(part)) return keepsReasoning(item) ? 'reasoning' : undefined
  if (carriesMedia(part)) return 'media'
  if (part.type !== 'tool-result') return undefined
  return isProtected(part.toolName) ? 'skills' : 'results'
}

function isStillSeen(kept: ContextItem | undefined, index: number, before: Part): boolean {
  if (kept === undefined) return false
  const message = messageOf(kept)
  const part = message && partsOf(message)[index]
  if (part === undefined) return false
  if (isReasoning(before)) return kept.type === 'message' && keepsReasoning(kept)
  if (carriesMedia(before)) return carriesMedia(part)
  if (kept.type !== 'message') return true
  return (
    kept.replacements?.every(
      ({ ref: own, how }) => own !== ref(kept.seq, index) || how !== 'pruned',
    ) ?? true
  )
}

function messageOf(item: ContextItem): Message | undefined {
  if (item.type === 'message' || item.type === 'late') return item.message
  return item.type === 'continuation' ? item.continuation.message : undefined
}

import { keyPool } from './key-pool.ts'
import { summarizedUpTo, type Match } from './match-view.ts'
import type { HostPart } from './host-array.ts'
import type { Seq } from '../log/entry.ts'
import type { Message, ToolMessage, UserMessage } from '../log/message.ts'

/** A message that is new, after those already known. */
interface AddedMessage {
  message: Message
  /** Its position in the host's array. */
  index: number
  /** It was rendered once, after something that the host has changed: nobody said it. */
  ours: boolean
}

/** The changes that make a log match a host's array. */
export interface Changes {
  /** The entry to rewind to, if the host has removed or changed something. */
  rewindTo?: Seq
  /** The messages to append, with their positions in the host's array. */
  added: AddedMessage[]
}

/** The changes that remain after a match. */
export function changesFor(
  messages: readonly Message[],
  parts: readonly HostPart[],
  match: Match,
): Changes {
  const cut = wholeAnswers(messages, parts, match)
  const rewindTo = lastCommonEntry(cut)
  const stands = rewindTo ?? Number.POSITIVE_INFINITY
  // A new conversation is taken as it is.
  const goesOn = rewindTo !== undefined && cut.length > 0
  const ours = keyPool(match.missing.flatMap(({ key, ours }) => (ours ? [key] : [])))
  const rendered = new Set<number>()
  const isFresh = (index: number): boolean => {
    if (index >= cut.length) return true
    const source = cut.sources[index]
    return source !== undefined && !source.ours && source.seq > stands
  }
  for (let index = cut.length; index < parts.length; index++) {
    if (goesOn && ours.take(parts[index]?.key ?? 0)) rendered.add(index)
  }
  // If nothing is rewound, everything before the message in which the match ends is known.
  const start = rewindTo === undefined ? messageStart(parts, cut.length) : 0
  return {
    ...(rewindTo !== undefined && { rewindTo }),
    added: freshMessages(messages, { parts, start, isFresh }, rendered),
  }
}

function messageStart(parts: readonly HostPart[], index: number): number {
  let start = index
  while (start > 0 && parts[start - 1]?.at === parts[index]?.at) start -= 1
  return start
}

/**
 * An answer that has grown is a different answer, since a step is never divided. A human's message,
 * or results, may have been merged with the next message.
 */
function wholeAnswers(
  messages: readonly Message[],
  parts: readonly HostPart[],
  match: Match,
): Match {
  const last = parts[match.length - 1]
  const grown = last !== undefined && parts[match.length]?.at === last.at
  if (!grown || messages[last.at]?.role !== 'assistant') return match
  const length = parts.findIndex(({ at }) => at === last.at)
  const taken = match.sources.slice(length).filter((source) => source !== undefined)
  return {
    whole: false,
    length,
    sources: match.sources.slice(0, length),
    missing: [...taken, ...match.missing],
  }
}

/** The seq just before the oldest entry that the host no longer has, or has only in part. */
function lastCommonEntry(match: Match): Seq | undefined {
  if (match.missing.length === 0) return undefined
  const under = summarizedUpTo(match)
  let oldest: Seq | undefined
  for (const { seq, ours, optional } of match.missing) {
    if (ours || optional || seq <= under) continue
    oldest = Math.min(oldest ?? seq, seq)
  }
  return oldest === undefined ? undefined : oldest - 1
}

interface FreshParts {
  parts: readonly HostPart[]
  /** Everything before this is known. */
  start: number
  isFresh: (index: number) => boolean
}

function freshMessages(
  messages: readonly Message[],
  { parts, start: from, isFresh }: FreshParts,
  rendered: ReadonlySet<number>,
): Changes['added'] {
  const added: Changes['added'] = []
  for (let start = from; start < parts.length;) {
    const { at } = parts[start] as HostPart
    let end = start
    while (parts[end]?.at === at) end += 1
    const chosen = Array.from({ length: end - start }, (_, index) => isFresh(start + index))
    const message = messages[at] as Message
    const ours = chosen.every((isFresh, index) => !isFresh || rendered.has(start + index))
    if (chosen.includes(true)) added.push({ message: withParts(message, chosen), index: at, ours })
    start = end
  }
  return added
}

/** The parts of a message that are new; an answer is new as a whole. */
function withParts(message: Message, chosen: readonly boolean[]): Message {
  if (message.role === 'assistant' || chosen.every(Boolean)) return message
  if (typeof message.content === 'string') return message
  const content = message.content.filter((_, index) => chosen[index])
  return { ...message, content } as UserMessage | ToolMessage
}

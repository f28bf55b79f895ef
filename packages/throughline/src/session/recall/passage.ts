import { partsOf, type Part } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { shownText } from './shown-text.ts'
import type { EntryOf, Origin, Ref } from '../../log/entry.ts'

/** Some or all of what one part says, with where it stands. */
export interface Passage {
  ref: Ref
  who: Origin
  what: 'text' | 'reasoning' | 'call' | 'result' | 'medium' | 'other'
  tool?: string
  /** What a call did to the file that was asked for: `edit`. */
  did?: string
  /** Milliseconds since 1970. */
  at: number
  text: string
  /** Where `text` begins in what the part says, and how long that is, in characters. */
  start: number
  length: number
}

/** What each part of a message says; nothing for a part without text. */
export function passagesOf(entry: EntryOf<'message'>): Passage[] {
  return partsOf(entry.message).flatMap((part, index) => {
    const passage = passageOf(entry, part, index)
    return passage.length === 0 ? [] : [passage]
  })
}

/** All of what the part at `index` says. */
export function passageOf(
  { seq, at, origin }: EntryOf<'message'>,
  part: Part,
  index: number,
): Passage {
  const text = shownText(part)
  return {
    ref: ref(seq, index),
    who: origin,
    what: whatOf(part),
    ...('toolName' in part && { tool: part.toolName }),
    at,
    text,
    start: 0,
    length: text.length,
  }
}

/** The passage from `start` to `end`, counted in its text. */
export function cutPassage(passage: Passage, start: number, end?: number): Passage {
  return {
    ...passage,
    text: passage.text.slice(start, end),
    start: passage.start + start,
  }
}

function whatOf(part: Part): Passage['what'] {
  if (part.type === 'text' || part.type === 'reasoning') return part.type
  if (part.type === 'tool-call') return 'call'
  if (part.type === 'tool-result') return 'result'
  return part.type === 'image' || part.type === 'file' ? 'medium' : 'other'
}

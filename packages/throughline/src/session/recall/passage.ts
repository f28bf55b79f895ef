import { partsOf, type Part } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { shownText } from './shown-text.ts'
import type { EntryOf, Origin } from '../../log/entry.ts'
import { attributeName } from '../../compaction/render/summary-block.ts'
import { safeEnd } from '../../compaction/clip/clip.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'

/** All or some of one part's text, with its position. */
export interface Passage {
  /** With the short name of its session before it, where that is not the one that was asked. */
  ref: string
  who: Origin
  what: 'text' | 'reasoning' | 'call' | 'result' | 'medium' | 'other'
  tool?: string
  /** What a call did to the requested file: `edit`. */
  did?: string
  /** Milliseconds since 1970. */
  at: number
  text: string
  /** Where `text` begins in the part's whole text, and how long that text is, in characters. */
  start: number
  length: number
}

/** The text of each part of a message; nothing for a part without text. */
export function passagesOf(entry: EntryOf<'message'>): Passage[] {
  return partsOf(entry.message).flatMap((part, index) => {
    const passage = passageOf(entry, part, index)
    return passage.length === 0 ? [] : [passage]
  })
}

/** The whole text of the part at `index`. */
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

const tag = 'recalled'

/**
 * A passage as a model reads it: between tags that say where it comes from. Such tags inside the
 * text are escaped, so that it can't break out.
 */
export function wrap(passage: Passage): string {
  const attributes = attributesOf(passage).map(([name, value]) => ` ${name}="${value}"`)
  return `<${tag}${attributes.join('')}>\n${escapeTag(passage.text)}\n</${tag}>`
}

function attributesOf({ ref, who, what, tool, did, at, text, start, length }: Passage) {
  const end = start + text.length
  const partly = start > 0 || end < length
  const attributes: [name: string, value: string | undefined][] = [
    ['ref', ref],
    ['who', who],
    ['what', what],
    ['tool', tool === undefined ? undefined : attributeName(tool)],
    ['did', did],
    ['at', timeOf(at)],
    ['characters', partly ? `${start}-${end} of ${length}` : undefined],
  ]
  return attributes.filter((each): each is [string, string] => each[1] !== undefined)
}

/** `undefined` for a missing time; formats without times say 0. */
function timeOf(at: number): string | undefined {
  const time = new Date(at)
  return at > 0 && Number.isFinite(time.getTime()) ? time.toISOString() : undefined
}

function escapeTag(text: string): string {
  return text.replace(/<([\s/]*recalled)/gi, '&lt;$1')
}

// In text worth reading, no tokenizer makes longer tokens.
const longestToken = 16

/** The beginning of a passage that fits in this many tokens, wrapped; none if nothing fits. */
export function fitPassage(
  passage: Passage,
  room: number,
  count: CountTokens,
): { passage: Passage; tokens: number } | undefined {
  const { length } = passage.text
  let end = Math.min(length, Math.floor(room * longestToken))
  while (end > 0) {
    const fitted = end < length ? cutPassage(passage, 0, safeEnd(passage.text, end)) : passage
    const tokens = count(wrap(fitted)) + 1
    if (tokens <= room) return fitted.text === '' ? undefined : { passage: fitted, tokens }
    end = Math.min(end - 1, Math.floor((end * room * 0.95) / tokens))
  }
  return undefined
}

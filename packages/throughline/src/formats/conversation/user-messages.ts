import { summaryElement } from '../../facts/human/client-forms.ts'
import { speechesIn, type Speech } from '../../facts/human/speech.ts'
import type { MessageDraft, Metadata, Origin } from '../../log/entry.ts'
import type { UserPart } from '../../log/message.ts'

/** A part of what a client recorded as the user's, and who really made it. */
export interface OriginPart {
  origin: Origin
  part: UserPart
}

/**
 * User messages that never mix the harness's text with the human's words: each run of parts with
 * one origin becomes a separate message, in order. A summary is one alone, and so is each text behind
 * it: an API wants what was said after it in the same message.
 */
export function userMessages(
  parts: readonly OriginPart[],
  at: number,
  metadata?: Metadata,
): MessageDraft[] {
  const drafts: MessageDraft[] = []
  let run: UserPart[] = []
  let behindSummary = false
  parts.forEach(({ origin, part }, index) => {
    run.push(part)
    const next = parts[index + 1]
    behindSummary ||= isSummary(part)
    const begins = isSummary(next?.part) || (behindSummary && next?.part.type === 'text')
    if (next?.origin === origin && !isSummary(part) && !begins) return
    drafts.push({
      kind: 'message',
      at,
      origin,
      message: { role: 'user', content: contentOf(run) },
      ...(metadata && { metadata }),
    })
    run = []
  })
  return drafts
}

function isSummary(part: UserPart | undefined): boolean {
  return part?.type === 'text' && isSummaryText(part.text)
}

function isSummaryText(text: string): boolean {
  return text.trimStart().startsWith(`<${summaryElement}>`)
}

function contentOf(parts: UserPart[]): string | UserPart[] {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' && !only.providerOptions ? only.text : parts
}

/** A text in the user's place, divided into what the human said and what a client or a tool did. */
export function saidParts(text: string): OriginPart[] {
  return partsOfSpeeches(speechesIn([text]).flat())
}

/**
 * The same for a message of several parts: one may tell what the next is. `answers` says that it
 * follows a reply that asked for a tool in words.
 */
export function saidInParts(parts: readonly OriginPart[], answers = false): OriginPart[] {
  const open = parts.filter(({ origin, part }) => origin === 'human' && part.type === 'text')
  const texts = open.map(({ part }) => (part.type === 'text' ? part.text : ''))
  const speeches = speechesIn(texts, answers)
  let next = 0
  return parts.flatMap((given): OriginPart[] => {
    if (given.origin !== 'human' || given.part.type !== 'text') return [given]
    const { providerOptions } = given.part
    return partsOfSpeeches(speeches[next++] ?? []).map(({ origin, part }) => ({
      origin,
      part: { ...part, ...(providerOptions && { providerOptions }) },
    }))
  })
}

/** A text that the client or a tool made as a whole. */
export function madeParts(text: string, origin: 'harness' | 'tool' = 'harness'): OriginPart[] {
  return text === '' ? [] : [{ origin, part: { type: 'text', text } }]
}

/** What follows each other and has one author is one part; each summary is one alone. */
function partsOfSpeeches(speeches: readonly Speech[]): OriginPart[] {
  const merged: { by: Speech['by']; text: string }[] = []
  for (const { by, text } of speeches) {
    const last = merged.at(-1)
    if (last?.by === by && !isSummaryText(last.text) && !isSummaryText(text)) last.text += text
    else merged.push({ by, text })
  }
  return merged.map(({ by, text }) => ({ origin: by, part: { type: 'text', text } }))
}

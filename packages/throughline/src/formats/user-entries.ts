import { entriesOf } from '../session/log-of-messages.ts'
import { textParts } from './known-origins.ts'
import { userMessages, type OriginPart } from './user-messages.ts'
import type { EntryDraft, Metadata } from '../log/entry.ts'

/**
 * What stands in the user's place of a request, as the entries of those who really said it:
 * the human, a harness, or Throughline, whose own summaries are checkpoints again.
 */
export function userEntries(
  parts: readonly OriginPart[],
  at: number,
  metadata?: Metadata,
): EntryDraft[] {
  const [only] = parts
  const alone = parts.length === 1 && only?.part.type === 'text' ? only.part.text : undefined
  const own = alone === undefined ? undefined : ownWords(alone, at)
  return own ? [own] : userMessages(parts.flatMap(originParts), at, metadata)
}

/** What Throughline itself once put among the messages. */
function ownWords(text: string, at: number): EntryDraft | undefined {
  const [entry] = entriesOf([{ role: 'user', content: text }], 0)
  if (!entry || (entry.kind === 'message' && entry.origin === 'human')) return undefined
  const { seq: _, ...draft } = entry
  return { ...draft, at }
}

function originParts({ origin, part }: OriginPart): OriginPart[] {
  if (origin !== 'human' || part.type !== 'text') return [{ origin, part }]
  const { providerOptions } = part
  return textParts(part.text).map((piece) => ({
    origin: piece.origin,
    part: { ...piece.part, ...(providerOptions && { providerOptions }) },
  }))
}

/** A block of a kind that is not known, as JSON: no human wrote that. */
export function unknownBlock(json: string | undefined): OriginPart[] {
  return json === undefined ? [] : [{ origin: 'harness', part: { type: 'text', text: json } }]
}

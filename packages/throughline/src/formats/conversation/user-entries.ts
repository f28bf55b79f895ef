import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { entriesOf } from '../../session/once/log-of-messages.ts'
import { userMessages, type OriginPart } from './user-messages.ts'
import type { MessageDraft, Metadata, Origin } from '../../log/entry.ts'
import { textParts as claudeCodeParts } from '../claude-code/origin.ts'
import { textParts as codexParts } from '../codex/origin.ts'
import { textParts as openhandsParts } from '../openhands/origin.ts'

/**
 * What stands in the user's role of a request, as the messages of those who really said it:
 * Throughline itself.
 */
export function userEntries(
  parts: readonly OriginPart[],
  at: number,
  metadata?: Metadata,
): MessageDraft[] {
  const [first, ...others] = parts
  // If roles must alternate, a summary and what was said after it are in one message.
  if (first && others.length > 0 && isSummary(first)) {
    return [...entriesOfOne([first], at, metadata), ...entriesOfOne(others, at, metadata)]
  }
  return entriesOfOne(parts, at, metadata)
}

function entriesOfOne(
  parts: readonly OriginPart[],
  at: number,
  metadata: Metadata | undefined,
): MessageDraft[] {
  const [only] = parts
  const alone = parts.length === 1 && only?.part.type === 'text' ? only.part.text : undefined
  const own = alone === undefined ? undefined : ownOrigin(alone)
  const said = own ? parts.map(({ part }) => ({ origin: own, part })) : parts.flatMap(originParts)
  return userMessages(said, at, metadata)
}

function isSummary({ part }: OriginPart): boolean {
  return part.type === 'text' && isSummaryBlock(part.text)
}

/** The author of messages that Throughline itself once inserted. */
function ownOrigin(text: string): Origin | undefined {
  const [entry] = entriesOf([{ role: 'user', content: text }], 0)
  if (entry?.kind !== 'message') return 'harness'
  return entry.origin === 'human' ? undefined : entry.origin
}

function originParts({ origin, part }: OriginPart): OriginPart[] {
  if (origin !== 'human' || part.type !== 'text') return [{ origin, part }]
  const { providerOptions } = part
  return textParts(part.text).map((piece) => ({
    origin: piece.origin,
    part: { ...piece.part, ...(providerOptions && { providerOptions }) },
  }))
}

/**
 * A text in the user's role of a request, taken apart into what the human said and what a
 * harness added.
 */
function textParts(text: string): OriginPart[] {
  return claudeCodeParts(text, false)
    .flatMap((part) => stillHuman(part, (words) => codexParts(words, false)))
    .flatMap((part) => stillHuman(part, openhandsParts))
}

function stillHuman(part: OriginPart, read: (text: string) => OriginPart[]): OriginPart[] {
  return part.origin === 'human' && part.part.type === 'text' ? read(part.part.text) : [part]
}

import type { MessageDraft, Metadata, Origin } from '../../log/entry.ts'
import type { UserPart } from '../../log/message.ts'

/** A part of what a client recorded as the user's, and who really made it. */
export interface OriginPart {
  origin: Origin
  part: UserPart
}

/**
 * User messages that never mix the harness's text with the human's words: each run of parts with
 * one origin becomes a separate message, in order.
 */
export function userMessages(
  parts: readonly OriginPart[],
  at: number,
  metadata?: Metadata,
): MessageDraft[] {
  const drafts: MessageDraft[] = []
  let run: UserPart[] = []
  parts.forEach(({ origin, part }, index) => {
    run.push(part)
    if (parts[index + 1]?.origin === origin) return
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

function contentOf(parts: UserPart[]): string | UserPart[] {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' && !only.providerOptions ? only.text : parts
}

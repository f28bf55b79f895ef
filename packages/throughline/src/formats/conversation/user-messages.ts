import type { MessageDraft, Metadata, Origin } from '../../log/entry.ts'
import type { UserPart } from '../../log/message.ts'

/** A part of what a client filed as the user's, and who really made it. */
export interface OriginPart {
  origin: Origin
  part: UserPart
}

/**
 * User messages in which nothing of the harness stands beside words of the human: each
 * run of parts of one origin becomes a message of its own, in order.
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

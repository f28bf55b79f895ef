import {
  blockRefusalOf,
  overflowOf,
  reasoningRefusalOf,
} from '../../compaction/overflow/overflow.ts'
import { recoverOnce, refusedAgain } from './recover-once.ts'
import { droppedBetween } from '../../compaction/plan/dropped-between.ts'
import { withoutBlocks } from '../../log/context/read-blocks.ts'
import { refusedItems } from '../../log/context/kept-reasoning.ts'
import type { Session } from '../session.ts'

/**
 * How often one request may be refused for its reasoning: it is refused, then it is demanded, then
 * it is demanded of earlier turns too.
 */
const mostLessons = 3

/**
 * Learns from a provider's error that it does not take reasoning as it was sent, or wants it where
 * there was none. Says whether the request can be made once more, without what was refused; `false`
 * where the error says something else, or nothing of ours could be changed.
 * @throws ContextFloorError if not even the least context fits the window.
 */
async function learnReasoning(
  session: Session,
  error: unknown,
  signals: { signal?: AbortSignal } = {},
): Promise<boolean> {
  const provider = reasoningRefusalOf(error)
  if (!provider) return false
  const { items: before, reasoning, seq } = session.context()
  if (refusedItems(before, reasoning, provider, seq + 1) === before) return false
  const { model } = session.frame
  await session.append({
    kind: 'observation',
    at: session.now(),
    observation: { type: 'reasoning', provider, ...(model !== undefined && { model }) },
  })
  const dropped = droppedBetween(before, session.context().items, session.policy.protectedTools)
  session.emit({ type: 'reasoning-refused', provider, dropped })
  // Reasoning that comes back takes room.
  await session.fit(signals)
  return true
}

/**
 * A provider that does not take its own compaction back gets what it stands for: our summary in place
 * of a checkpoint's, or everything before one that came with an answer. `false` if the error says
 * something else, or none was sent.
 * @throws ContextFloorError if not even the least context fits the window.
 */
async function learnBlocks(
  session: Session,
  error: unknown,
  signals: { signal?: AbortSignal } = {},
): Promise<boolean> {
  const { items } = session.context()
  if (!blockRefusalOf(error) || withoutBlocks(items) === items) return false
  await session.append({
    kind: 'observation',
    at: session.now(),
    observation: { type: 'blocks', provider: 'refuses' },
  })
  await session.fit(signals)
  return true
}

/** What may still be tried for one request that its provider refuses. */
export interface Refusals {
  /**
   * Learns from a provider's error what can be learned, and makes the context such that the request
   * can be made once more. `false` if the error says nothing that a smaller or barer context would
   * cure.
   * @throws OverflowError if the context was too long before, or nothing can be compacted.
   * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
   */
  recover: (error: unknown, signals?: { signal?: AbortSignal }) => Promise<boolean>
}

/** The refusals of the request that a session would send now. */
export function refusalsOf(session: Session): Refusals {
  let recovered = false
  let lessons = 0
  let sent = sentNow(session)
  return {
    async recover(error, signals = {}) {
      if (await learnBlocks(session, error, signals)) {
        // Nothing is left that could be refused once more.
      } else if (lessons < mostLessons && (await learnReasoning(session, error, signals))) {
        lessons += 1
      } else {
        const overflow = overflowOf(error)
        if (!overflow) return false
        const refused = { ...overflow, ...sent, error }
        if (recovered) throw refusedAgain(session, refused)
        await recoverOnce(session, { ...refused, ...signals })
        recovered = true
      }
      sent = sentNow(session)
      return true
    },
  }
}

/** The size of the next request as measured, and its newest entry. */
function sentNow(session: Session) {
  return { tokens: session.measure().tokens, since: session.context().seq }
}

import { droppedBetween } from '../../compaction/plan/dropped.ts'
import { reasoningRefusalOf } from '../overflow/reasoning-refusal.ts'
import { refusedItems } from '../../log/kept-reasoning.ts'
import type { Session } from '../session.ts'

/**
 * How often one request may be refused for its reasoning: it is refused, then it is demanded, then
 * it is demanded of earlier turns too.
 */
export const mostLessons = 3

/**
 * Learns from a provider's error that it does not take reasoning as it was sent, or wants it where
 * there was none. Says whether the request can be made once more, without what was refused; `false`
 * where the error says something else, or nothing of ours could be changed.
 * @throws ContextFloorError if not even the least context fits the window.
 */
export async function learnReasoning(
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

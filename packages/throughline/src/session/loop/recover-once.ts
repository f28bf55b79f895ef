import { OverflowError } from '../errors.ts'
import type { ModelTokens } from '../../tokens/units.ts'
import type { Overflow } from '../overflow/overflow.ts'
import type { Seq } from '../../log/entry.ts'
import type { Session } from '../session.ts'

// No model has a smaller window: a provider's text that says so means something else.
const smallestWindow = 1_000

/** A request that a provider refused as too long. */
export interface RefusedRequest extends Overflow {
  error: unknown
  /** Of the request, as it was measured. */
  tokens: ModelTokens
  /** The newest entry that it was made of. */
  since: Seq
  signal?: AbortSignal
}

/**
 * Learns the real window and compacts, where that is allowed, so that the request can be made
 * once more.
 * @throws OverflowError if nothing can be compacted.
 */
export async function recoverOnce(
  session: Session,
  { error, limit, unit, tokens, since, signal }: RefusedRequest,
): Promise<void> {
  session.emit({ type: 'overflow', ...(limit !== undefined && { limit }) })
  if (!session.policy.auto) {
    throw new OverflowError({ reason: 'off', tokens, limit, cause: error })
  }
  // Where the provider names no limit, the request itself shows that the window is smaller; one of
  // too many bytes shows nothing of the window.
  const learned = limit ?? (unit === 'tokens' ? Math.floor(tokens * 0.9) : Infinity)
  if (learned >= smallestWindow && learned < session.window.context) {
    const { model } = session.frame
    await session.append({
      kind: 'observation',
      at: session.now(),
      observation: { type: 'limit', tokens: learned, ...(model !== undefined && { model }) },
    })
  }
  const report = await session.recover({ since, ...(signal && { signal }) })
  // Where it fits, somebody else has compacted it meanwhile.
  if (report.action === 'none' && report.reason !== 'fits') {
    throw new OverflowError({ reason: 'nothing-to-compact', tokens, limit, cause: error })
  }
}

/** What is thrown where the request is refused after a compaction, too. */
export function refusedAgain(
  session: Session,
  { error, limit, tokens }: Omit<RefusedRequest, 'since' | 'unit'>,
): OverflowError {
  session.emit({ type: 'overflow', ...(limit !== undefined && { limit }) })
  return new OverflowError({ reason: 'refused-again', tokens, limit, cause: error })
}

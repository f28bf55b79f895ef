import { OverflowError } from '../errors.ts'
import type { ModelTokens } from '../../tokens/units.ts'
import type { Overflow } from '../../compaction/overflow/overflow.ts'
import type { Seq } from '../../log/entry.ts'
import type { Session } from '../session.ts'

// No model has a smaller window, so a provider's text that claims one means something else.
const smallestWindow = 1_000

/** A request that a provider refused because it was too long. */
export interface RefusedRequest extends Overflow {
  error: unknown
  /** The request's size, as measured. */
  tokens: ModelTokens
  /** The newest entry that the request contained. */
  since: Seq
  signal?: AbortSignal
}

/**
 * Learns the real window and, if allowed, compacts so that the request can be made once more.
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
  await learnLimit(session, { unit, tokens, ...(limit !== undefined && { limit }) })
  const report = await session.recover({ since, ...(signal && { signal }) })
  // If it fits, someone else has compacted it in the meantime.
  if (report.action === 'none' && report.reason !== 'fits') {
    throw new OverflowError({ reason: 'nothing-to-compact', tokens, limit, cause: error })
  }
}

/** Notes what a refused request of this size says about the model's window. */
export async function learnLimit(
  session: Session,
  { limit, unit, tokens }: Overflow & { tokens: ModelTokens },
): Promise<void> {
  // Without a named limit, the request itself shows that this compaction must make it smaller; it
  // proves no window for later. A request with too many bytes says nothing about the window.
  const observed = limit ?? (unit === 'tokens' ? Math.floor(tokens * 0.9) : Infinity)
  if (observed >= smallestWindow && observed < session.window.context) {
    const { model } = session.frame
    await session.append({
      kind: 'observation',
      at: session.now(),
      observation: {
        type: 'limit',
        tokens: observed,
        ...(model !== undefined && { model }),
        ...(limit === undefined && { assumed: true as const }),
      },
    })
  }
}

/** The error to throw if the request is refused after a compaction as well. */
export function refusedAgain(
  session: Session,
  { error, limit, tokens }: Omit<RefusedRequest, 'since' | 'unit'>,
): OverflowError {
  session.emit({ type: 'overflow', ...(limit !== undefined && { limit }) })
  return new OverflowError({ reason: 'refused-again', tokens, limit, cause: error })
}

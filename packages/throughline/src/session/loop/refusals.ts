import { learnReasoning, mostLessons } from './learn-reasoning.ts'
import { overflowOf } from '../overflow/overflow.ts'
import { recoverOnce, refusedAgain } from './recover-once.ts'
import type { Session } from '../session.ts'

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
      if (lessons < mostLessons && (await learnReasoning(session, error, signals))) {
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

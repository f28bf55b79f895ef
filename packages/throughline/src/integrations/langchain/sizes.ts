import { listOfSizes, type CompactionMiddlewareOptions } from './options.ts'
import { nativesIn } from '../../wires/wire.ts'
import { sumEstimated, toModel } from '../../tokens/units.ts'
import type { BaseMessage } from '@langchain/core/messages'
import type { Pair } from '../../wires/wire.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { Session } from '../../session/session.ts'

/** How large a conversation is, by the count that triggers go by. */
export interface Size {
  messages: number
  tokens: number
}

// What a compaction leaves may still be above a trigger: half as much has to come before the next.
const growth = 1.5

/** What a conversation holds by now. */
export async function sizeOf(
  { tokenCounter }: CompactionMiddlewareOptions,
  session: Session,
  messages: BaseMessage[],
): Promise<Size> {
  const tokens = tokenCounter ? await tokenCounter(messages) : session.measure().tokens
  return { messages: messages.length, tokens }
}

/** Whether a conversation is to be compacted though it fits; `left` is what the last one left. */
export function isTriggered(
  { trigger }: CompactionMiddlewareOptions,
  { now, left, window }: { now: Size; left: Size; window: number },
): boolean {
  return listOfSizes(trigger).some(({ fraction, tokens, messages }) => {
    const share = fraction === undefined ? undefined : fraction * window
    return (
      isReached(messages, now.messages, left.messages) &&
      isReached(tokens, now.tokens, left.tokens) &&
      isReached(share, now.tokens, left.tokens)
    )
  })
}

function isReached(size: number | undefined, now: number, left: number): boolean {
  return size === undefined || now >= Math.max(size, left * growth)
}

/** The policy for a `keep`; `newest` is what the newest messages hold when something is compacted. */
export function keeping(
  policy: Policy,
  { keep }: CompactionMiddlewareOptions,
  { window, newest }: { window: number; newest: () => number },
): Policy {
  if (!keep) return policy
  const tail = (): number => {
    if ('tokens' in keep) return keep.tokens
    return 'fraction' in keep ? Math.floor(keep.fraction * window) : newest()
  }
  // The summary has what it always has.
  const summary = (usable: number): number => {
    const all = policy.keep(usable)
    return all - policy.tail(usable, all)
  }
  return {
    ...policy,
    tail: (_, all) => Math.min(tail(), all),
    keep: (usable) => summary(usable) + tail(),
  }
}

/** What the newest messages hold, in tokens of the session's model. */
export async function newestTokens(
  { keep, tokenCounter }: CompactionMiddlewareOptions,
  session: Session,
  rendered: () => readonly Pair<BaseMessage>[],
): Promise<number> {
  if (!keep || !('messages' in keep) || keep.messages === 0) return 0
  const newest = rendered().slice(-keep.messages)
  if (tokenCounter) return tokenCounter(nativesIn(newest))
  const { message, ratio } = session.counter
  return toModel(sumEstimated(newest.flatMap(({ messages }) => messages.map(message))), ratio)
}

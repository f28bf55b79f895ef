import { least } from '../../tokens/units.ts'
import { usableTokens, type Window } from '../../tokens/window.ts'
import { formatTokens } from '../../tokens/windows.ts'
import { usage } from '../parse-arguments.ts'
import type { Policy } from '../../compaction/policy.ts'

// The share of what is kept that stays word for word; the summary gets the rest.
const tailShare = 0.3

/**
 * The policy as it is, or the same that keeps at most `keep` tokens of the model.
 */
export function policyKeeping(policy: Policy, keep: number | undefined): Policy {
  if (keep === undefined) return policy
  return {
    ...policy,
    keep: () => keep,
    tail: (_, kept) => Math.floor(kept * tailShare),
    // Elsewhere pictures may take what the window has left: here the limit is the user's.
    cut: (input) => policy.cut({ ...input, media: least(input.media, input.full) }),
    // A user who asks to keep more than the usual half means it.
    lowWater: (usable) => Math.max(policy.lowWater(usable), Math.min(keep, usable)),
  }
}

/** The room in a window without that for the model's answer. */
export function usableOf(window: Window, policy: Policy): number {
  return usableTokens(window, policy.reserved(window))
}

/** @throws UsageError if there isn't room for that much. */
export function checkKeep(
  command: string,
  keep: number | undefined,
  window: Window,
  policy: Policy,
): void {
  const usable = usableOf(window, policy)
  if (keep === undefined || keep <= usable) return
  throw usage(
    command,
    `--keep ${formatTokens(keep)} does not fit in a window of ${formatTokens(window.context)}, which has ${formatTokens(usable)} beside the model’s answer. Keep less, or use a larger --window`,
  )
}

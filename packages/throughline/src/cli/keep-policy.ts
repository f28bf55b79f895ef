import { defaultPolicy, type Policy } from '../compaction/policy.ts'
import { usableTokens, type Window } from '../tokens/window.ts'
import { formatTokens } from '../tokens/windows.ts'
import { usage } from './parse-arguments.ts'

// Of what is kept, the part that stays word for word; the summary has the rest.
const tailShare = 0.3

/**
 * The default policy, or the same that keeps at most `keep` tokens as the model counts them;
 * `ratio` is real tokens per estimated token, since a policy's keep is an estimate.
 */
export function policyKeeping(keep: number | undefined, ratio: number): Policy {
  if (keep === undefined) return defaultPolicy
  return {
    ...defaultPolicy,
    keep: () => Math.floor(keep / ratio),
    tail: (_, kept) => Math.floor(kept * tailShare),
    // Whoever wants more than the usual half to be kept means it.
    lowWater: (usable) => Math.max(defaultPolicy.lowWater(usable), Math.min(keep, usable)),
  }
}

/** What a window leaves beside the model's answer. */
export function usableOf(window: Window): number {
  return usableTokens(window, defaultPolicy.reserved(window))
}

/** @throws UsageError if more is to be kept than there is room for. */
export function checkKeep(command: string, keep: number | undefined, window: Window): void {
  const usable = usableOf(window)
  if (keep === undefined || keep <= usable) return
  throw usage(
    command,
    `--keep ${formatTokens(keep)} is more than a window of ${formatTokens(window.context)} has to give: ${formatTokens(usable)} beside the model's answer. Keep less, or give a larger --window`,
  )
}

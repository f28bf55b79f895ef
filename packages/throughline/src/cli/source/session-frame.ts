import type { RequestFrame } from '../../compaction/measure/measure.ts'
import type { SessionFacts } from '../../formats/format.ts'

/** What the session recorded besides its messages: about its requests, and about where it works. */
export function frameOf({
  system,
  model,
  directory,
}: SessionFacts): RequestFrame & { directories?: string[] } {
  return {
    ...(system !== undefined && { system }),
    ...(model !== undefined && { model }),
    ...(directory !== undefined && { directories: [directory] }),
  }
}

import type { RequestFrame } from '../compaction/measure.ts'
import type { SessionFacts } from '../formats/format.ts'

/** What the session recorded of its requests beside the messages. */
export function frameOf({ system, model }: SessionFacts): RequestFrame {
  return {
    ...(system !== undefined && { system }),
    ...(model !== undefined && { model }),
  }
}

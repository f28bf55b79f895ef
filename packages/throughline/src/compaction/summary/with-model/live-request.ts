import { renderContext } from '../../render/render.ts'
import { summaryRoleOf } from '../../render/summary-block.ts'
import type { Context } from '../../../log/context.ts'
import type { Plan, PlanInput } from '../../plan/plan.ts'
import type { LiveRequest } from './summarizer.ts'

/** The next request as it would be without the compaction that is planned. */
export function liveRequest(input: PlanInput, { measurement }: Plan, now: number): LiveRequest {
  const { context, frame, policy, window } = input
  return {
    system: frame.system,
    messages: renderContext(context.items, summaryRoleOf(policy)).messages,
    model: frame.model,
    window,
    tokens: measurement.tokens,
    now,
    cached: cachedOf(context),
  }
}

function cachedOf({ measured }: Context): LiveRequest['cached'] {
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = measured?.usage ?? {}
  const tokens = cacheReadTokens + cacheWriteTokens
  return measured && tokens > 0 ? { tokens, at: measured.at } : undefined
}

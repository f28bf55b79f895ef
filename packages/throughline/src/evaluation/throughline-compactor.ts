import { compact } from '../compaction/compact.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { renderContext } from '../compaction/render.ts'
import { indexOf } from '../compaction/summary/index/build.ts'
import { contextOf } from '../log/context.ts'
import { chronological } from '../log/order.ts'
import type { Counter } from '../compaction/measure.ts'
import type { PlanInput } from '../compaction/plan.ts'
import type { Entry } from '../log/entry.ts'
import { tokensOf, visibleTextOfMessages } from './visible.ts'
import type { CompactionRequest, Compactor } from './compactor.ts'

/** A common window. It bounds the tail by a quarter of what is usable; `keep` bounds it more. */
const window = { context: 200_000 }

/** Counts as the bench weighs: `keep` then means the same for every compactor. */
const counter: Counter = {
  text: tokensOf,
  message: (message) => tokensOf(visibleTextOfMessages([message])),
  ratio: 1,
}

/** Throughline as the command line runs it: the default policy, and no model. */
export const throughline: Compactor = {
  name: 'throughline, local summary',
  compact: async (request) => {
    const input = planInput(request)
    const learned = { seq: 0, ratios: new Map(), limits: new Map(), failures: 0, paused: 0 }
    const { drafts } = await compact(input, { now: 0, learned })
    const newest = request.log.at(-1)?.seq ?? 0
    const added = drafts.map((draft, index): Entry => ({ ...draft, seq: newest + index + 1 }))
    const log = chronological([...request.log, ...added])
    const { items, checkpoint } = contextOf(log)
    const { messages } = renderContext(items, input.policy.summaryRole)
    return { log, summary: checkpoint?.summary ?? '', messages }
  },
}

function planInput({ log, keep, directories }: CompactionRequest): PlanInput {
  const policy = { ...defaultPolicy, keep: () => keep }
  return {
    log,
    context: contextOf(log),
    index: () => indexOf(log, { lenses: policy.lenses, directories }),
    frame: {},
    window,
    policy,
    counter,
    trigger: 'manual',
  }
}

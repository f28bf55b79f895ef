import { prunedSteps } from '../../log/context/items-of.ts'
import type { Context } from '../../log/context/context.ts'
import type { Chronological, ModelOrder } from '../../log/order.ts'
import type { Replacement } from '../../log/entry.ts'

const pruned = new WeakMap<object, { of: ModelOrder; items: ModelOrder }>()

/** The context without what a pruning replaces, in steps: it is made once for all who ask. */
export function* withPruning(
  { context, log }: { context: Context; log: Chronological },
  pruning: { readonly replacements: Replacement[] },
): Generator<undefined, ModelOrder> {
  const known = pruned.get(pruning)
  if (known?.of === context.items) return known.items
  const { replacements } = pruning
  const draft = { kind: 'prune', at: 0, base: context.seq, replacements, metadata: {} } as const
  const { items: of } = context
  const items = yield* prunedSteps(context, draft, log)
  pruned.set(pruning, { of, items })
  return items
}

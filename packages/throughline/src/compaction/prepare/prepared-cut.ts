import { keptReplacements } from '../clip/describe-media.ts'
import { shrinkStep } from '../clip/shrink-step.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import { minus, plus, sumEstimated, toModel, type EstimatedTokens } from '../../tokens/units.ts'
import type { ContextItem, LateItem, MessageItem } from '../../log/context-item.ts'
import type { Continuation, Replacement, Seq, TailItem } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Clipping } from '../clip/clip-note.ts'
import type { PlannedCut } from '../cut/planned-cut.ts'

/** What was added after a prepared cut. */
export interface Since extends Clipping {
  /** The newest entry when the cut was made. */
  base: Seq
  /** The context as it is now. */
  items: readonly ContextItem[]
  units: readonly Unit[]
  continuation: Continuation | null
  /** By how much its newest step has to be smaller, as the counter counts. */
  over: EstimatedTokens
}

/**
 * The cut with everything that was added since in its tail, word for word except for clipped parts.
 */
export function cutSince(cut: PlannedCut, since: Since): PlannedCut {
  const { base, items, continuation, counter } = since
  const clipped = clippedStep(since)
  const said = items.filter((item) => item.seq > base && isSaid(item)) as Said[]
  const added = sumEstimated(said.map(({ message }) => counter.message(message)))
  const tail = [...cut.tail, ...said.map((item) => tailItem(item, clipped.get(item)))]
  return {
    ...cut,
    tail: tail.filter((item) => item.type === 'omission' || item.seq !== continuation?.of),
    tailTokens: plus(cut.tailTokens, toModel(added, counter.ratio)),
    continuation,
  }
}

type Said = MessageItem | LateItem

function isSaid({ type }: ContextItem): boolean {
  return type === 'message' || type === 'late'
}

function tailItem(item: Said, clipped: Replacement[] | undefined): TailItem {
  const replacements = clipped ?? keptReplacements(item)
  return { type: 'entry', seq: item.seq, ...(replacements.length > 0 && { replacements }) }
}

/**
 * The most common reason for exceeding the threshold is one large output: it is clipped, as in any
 * tail.
 */
function clippedStep({ units, over, ...clipping }: Since): ReadonlyMap<ContextItem, Replacement[]> {
  const step = units.findLast((unit) => unit.type === 'step')
  if (over <= 0 || !step) return new Map()
  const kept = step.items.flatMap(keptReplacements)
  const room = minus(unitTokens(step, kept, clipping.counter), over)
  const replacements = shrinkStep(step, kept, room, clipping)
  return new Map(
    step.items.map((item) => [
      item,
      replacements.filter(({ ref }) => ref.startsWith(`${item.seq}.`)),
    ]),
  )
}

import { earlierReplacements, keptReplacements } from '../clip/describe-media.ts'
import { clipAside, clipHuman } from '../clip/clip-human.ts'
import { shrinkStep } from '../clip/shrink-step.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import { minus, plus, share, toEstimated, toModel } from '../../tokens/units.ts'
import { tailBudget } from './tail-budget.ts'
import type { Clipping } from '../clip/clip.ts'
import type { EstimatedTokens, ModelTokens } from '../../tokens/units.ts'
import type { Replacement, Seq } from '../../log/entry.ts'
import type { StepUnit, Unit } from '../../log/steps.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { Policy } from '../policy.ts'
import type { PlannedCut } from './planned-cut.ts'

// With less room than this, nobody would notice that more of an output stands.
const leastGiven = 300

/** What can be given back, and to which units. */
export interface GiveBackInput {
  units: readonly Unit[]
  counter: Counter
  policy: Pick<Policy, 'tail' | 'recallTool'>
  /** What nothing else uses of the room for summary and tail. */
  room: ModelTokens
}

/**
 * The cut with its unused room given back to what it clipped, the newest first: whole, or as much
 * of it as there is room for. A large file that was just read or written is what the next step needs,
 * and how much of it fits is known only once the summary is written. Units that stay stay, and the
 * summary covers the same head. Returns the same cut where nothing is gained.
 */
export function giveBack(
  cut: PlannedCut,
  { units, room, counter, policy }: GiveBackInput,
): PlannedCut {
  // Whoever says how much of the newest stays means it.
  if (room < leastGiven || policy.tail !== tailBudget) return cut
  const { ratio } = counter
  const clipping = { counter, recallTool: policy.recallTool }
  const kept = replacedEntries(cut)
  const longer = new Map<Seq, Replacement[]>()
  const all = toEstimated(room, ratio)
  let left = all
  for (const unit of units.toReversed()) {
    const seqs = seqsOf(unit).filter((seq) => kept.has(seq))
    const own = seqs.flatMap((seq) => kept.get(seq) ?? [])
    if (!own.some(({ how }) => how === 'clipped')) continue
    const before = unitTokens(unit, own, counter)
    const given = lessClipped(unit, own, plus(before, left), clipping)
    const after = unitTokens(unit, given, counter)
    if (after <= before || after > plus(before, left)) continue
    left = minus(left, minus(after, before))
    for (const seq of seqs) longer.set(seq, given.filter(isOf(seq)))
  }
  if (longer.size === 0) return cut
  const taken = toModel(minus(all, left), ratio)
  return {
    ...cut,
    tail: cut.tail.map((item) => {
      const replacements = item.type === 'entry' ? longer.get(item.seq) : undefined
      if (item.type !== 'entry' || !replacements) return item
      const { replacements: _, ...bare } = item
      return replacements.length > 0 ? { ...bare, replacements } : bare
    }),
    tailTokens: plus(cut.tailTokens, taken),
    summaryBudget: minus(cut.summaryBudget, taken),
  }
}

function replacedEntries({ tail }: PlannedCut): ReadonlyMap<Seq, readonly Replacement[]> {
  return new Map(
    tail.flatMap((item) =>
      item.type === 'entry' ? [[item.seq, item.replacements ?? []] as const] : [],
    ),
  )
}

/** What the unit's parts are replaced by where it may hold `room`. */
function lessClipped(
  unit: Unit,
  own: readonly Replacement[],
  room: EstimatedTokens,
  clipping: Clipping,
): Replacement[] {
  // What was clipped or described before this cut stays so: only this cut's own clips are undone.
  const earlier = new Set(unit.items.flatMap(earlierReplacements))
  const without = unit.items.flatMap(keptReplacements)
  const whole = own.flatMap((replacement) =>
    replacement.how === 'clipped' && !earlier.has(replacement)
      ? without.filter(({ ref }) => ref === replacement.ref)
      : [replacement],
  )
  if (unitTokens(unit, whole, clipping.counter) <= room) return whole
  if (unit.type === 'step') return filledStep(unit, whole, room, clipping)
  if (unit.type === 'human') return clipHuman(unit, whole, room, clipping)
  return clipAside(unit, whole, room, clipping)
}

/**
 * A step that takes as much of `room` as it can: a clipped input costs less than was reckoned, since
 * what escapes its text went with it.
 */
function filledStep(
  unit: StepUnit,
  whole: readonly Replacement[],
  room: EstimatedTokens,
  clipping: Clipping,
): Replacement[] {
  let asked = room
  let fullest = shrinkStep(unit, whole, asked, clipping)
  let more = minus(room, unitTokens(unit, fullest, clipping.counter))
  for (let attempt = 0; attempt < 5 && more >= leastGiven; attempt++) {
    const fuller = shrinkStep(unit, whole, plus(asked, more), clipping)
    const left = minus(room, unitTokens(unit, fuller, clipping.counter))
    if (left < 0) {
      more = share(more, 0.5)
      continue
    }
    fullest = fuller
    asked = plus(asked, more)
    more = left
  }
  return fullest
}

function seqsOf(unit: Unit): Seq[] {
  return unit.type === 'human' ? [unit.seq] : unit.items.map(({ seq }) => seq)
}

function isOf(seq: Seq): (replacement: Replacement) => boolean {
  return ({ ref }) => ref.startsWith(`${seq}.`)
}

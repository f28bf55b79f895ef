import { clipAside } from '../clip/clip-aside.ts'
import { gapItem } from './gap.ts'
import { keptReplacements } from '../clip/describe-media.ts'
import { shrinkStep } from '../clip/shrink-step.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import { messageText } from '../../log/message-text.ts'
import type { ContextItem } from '../../log/context-item.ts'
import type { Replacement, Seq, TailItem } from '../../log/entry.ts'
import type { AsideUnit, HumanUnit, StepUnit, Unit } from '../../log/steps.ts'
import {
  estimatedTokens,
  minus,
  most,
  plus,
  share,
  type EstimatedTokens,
} from '../../tokens/units.ts'
import type { Clipping } from '../clip/clip-note.ts'

/** What a cut works on. Sizes are estimated, as `counter` counts. */
export interface CutInput extends Clipping {
  units: readonly Unit[]
  /** The most that the tail should hold. */
  budget: EstimatedTokens
  /** What the tail was first meant to hold, before a rung asked for less. */
  full: EstimatedTokens
  /** What the second human message may stretch the tail to. */
  stretch: EstimatedTokens
  tailTurns: number
  /** Tools whose results are instructions to the agent. */
  protectedTools: readonly string[]
  /** Entries that somebody wants to stay: their units do, as far as there is room. */
  wanted?: ReadonlySet<Seq>
}

/** The tail, word for word but for what is clipped, and the head: all the rest. */
export interface Cut {
  tail: TailItem[]
  /** What the tail holds, as the counter of the input counts. */
  tailTokens: EstimatedTokens
  head: Unit[]
}

/** Divides a context into head and tail. */
export type CutStrategy = (input: CutInput) => Cut

// A reminder of the harness may take this much of the tail before it is clipped.
const asideShare = 0.25

/** A unit that stays, with what stands in place of its media and its large parts. */
interface Kept {
  index: number
  unit: Unit
  replacements: Replacement[]
  tokens: EstimatedTokens
}

/**
 * The default (T8): the human messages of the last turns word for word, and of the steps
 * the newest that fit, whole. A pending step always stays. Where steps are left out between
 * two kept ones, a marker says so and quotes what a kept human message answers.
 */
export const cutBySteps: CutStrategy = (input) => {
  const { units } = input
  const kept = new Map<number, Kept>()
  let used = estimatedTokens(0)
  const keep = (candidate: Kept): void => {
    kept.set(candidate.index, candidate)
    used = plus(used, candidate.tokens)
  }
  const staying = humansThatStay(units)
  for (const index of newestHumans(units, input.tailTurns)) {
    const candidate = measureUnit(index, units[index] as Unit, input)
    const room = minus(most(input.budget, input.stretch), used)
    if (staying.includes(index) || candidate.tokens <= room) keep(candidate)
  }
  const pending = units.at(-1)
  if (pending?.type === 'step' && pending.status === 'pending') {
    const room = most(minus(input.budget, used), estimatedTokens(0))
    keep(shrunkStep(units.length - 1, pending, room, input))
  }
  for (const index of wantedUnits(input)) {
    if (kept.has(index)) continue
    const candidate = measureUnit(index, units[index] as Unit, input)
    if (candidate.tokens <= minus(most(input.budget, input.stretch), used)) keep(candidate)
  }
  for (let index = units.length - 1; index >= 0; index--) {
    if (kept.has(index)) continue
    const unit = units[index] as Unit
    if (!mayStay(unit)) {
      if (unit.item.type === 'summary') break
      continue
    }
    const room = minus(input.budget, used)
    const whole = measureUnit(index, unit, input)
    const candidate =
      whole.tokens > room && unit.type === 'step' && isNewestStep(units, index)
        ? shrunkStep(index, unit, room, input)
        : whole
    if (candidate.tokens > room) break
    keep(candidate)
  }
  return assemble(units, kept, input)
}

/** Indexes of the human messages of the last turns, newest first, and of those that must stand. */
function newestHumans(units: readonly Unit[], turns: number): number[] {
  const humans = units.flatMap(({ type }, index) => (type === 'human' ? [index] : [])).toReversed()
  const newest = humans.slice(0, Math.max(turns, 0))
  return [...newest, ...humansThatStay(units).filter((index) => !newest.includes(index))]
}

/** Where the newest human message is, and the latest request: an image or a blank asks nothing. */
export function humansThatStay(units: readonly Unit[]): number[] {
  const newest = units.findLastIndex(({ type }) => type === 'human')
  const request = units.findLastIndex(
    (unit) => unit.type === 'human' && messageText(unit.message).trim() !== '',
  )
  return [...new Set([newest, request])].filter((index) => index >= 0)
}

/** Earlier summaries, gaps, pins and continuations are not turns: a new checkpoint makes its own. */
function mayStay(unit: Unit): boolean {
  return unit.type !== 'aside' || unit.item.type === 'message' || unit.item.type === 'late'
}

/** Indexes of the units that somebody wants to stay, newest first. */
function wantedUnits({ units, wanted }: CutInput): number[] {
  if (!wanted || wanted.size === 0) return []
  return units
    .flatMap((unit, index) => {
      const seqs = unit.type === 'human' ? [unit.seq] : unit.items.map(({ seq }) => seq)
      return mayStay(unit) && seqs.some((seq) => wanted.has(seq)) ? [index] : []
    })
    .toReversed()
}

function isNewestStep(units: readonly Unit[], index: number): boolean {
  return !units.slice(index + 1).some((unit) => unit.type === 'step')
}

function measureUnit(index: number, unit: Unit, input: CutInput): Kept {
  const { budget, counter } = input
  const replacements = unit.items.flatMap(keptReplacements)
  const tokens = unitTokens(unit, replacements, counter)
  const room = share(budget, asideShare)
  if (unit.type !== 'aside' || tokens <= room) return { index, unit, replacements, tokens }
  const clipped = clipAside(unit, replacements, room, input)
  return { index, unit, replacements: clipped, tokens: unitTokens(unit, clipped, counter) }
}

function shrunkStep(index: number, unit: StepUnit, room: EstimatedTokens, input: CutInput): Kept {
  const replacements = shrinkStep(unit, unit.items.flatMap(keptReplacements), room, input)
  return { index, unit, replacements, tokens: unitTokens(unit, replacements, input.counter) }
}

function assemble(units: readonly Unit[], kept: ReadonlyMap<number, Kept>, input: CutInput): Cut {
  const indexes = [...kept.keys()].sort((a, b) => a - b)
  const tail: TailItem[] = []
  let tailTokens = estimatedTokens(0)
  let before = -1
  for (const index of indexes) {
    const { unit, replacements, tokens } = kept.get(index) as Kept
    const left = units.slice(before + 1, index).filter(isLeftOut)
    if (left.length > 0 && (before >= 0 || unit.type === 'human')) {
      const gap = gapItem(left, { quote: unit.type === 'human', first: before < 0, ...input })
      if (gap) {
        tail.push(gap)
        const marker = input.counter.message({ role: 'user', content: gap.text })
        tailTokens = plus(tailTokens, marker)
      }
    }
    tail.push(...tailItems(unit, replacements))
    tailTokens = plus(tailTokens, tokens)
    before = index
  }
  const head = units.filter((unit, index) => !kept.has(index) && unit.item.type !== 'summary')
  return { tail, tailTokens, head }
}

function isLeftOut(unit: Unit): unit is HumanUnit | StepUnit | AsideUnit {
  return unit.item.type === 'message'
}

function tailItems(unit: Unit, replacements: readonly Replacement[]): TailItem[] {
  const seqs: Seq[] =
    unit.type === 'human' ? [unit.seq] : unit.items.map((item: ContextItem) => item.seq)
  return seqs.map((seq) => {
    const own = replacements.filter(({ ref }) => ref.startsWith(`${seq}.`))
    return { type: 'entry', seq, ...(own.length > 0 && { replacements: own }) }
  })
}

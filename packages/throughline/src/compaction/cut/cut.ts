import { clipAside, clipHuman } from '../clip/clip-human.ts'
import { gapItem, isOfEarlierCut } from './gap.ts'
import { earlierReplacements, keptReplacements, mediaIn } from '../clip/describe-media.ts'
import { shrinkStep } from '../clip/shrink-step.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import { messageText } from '../../log/message.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Replacement, Seq, TailItem } from '../../log/entry.ts'
import type { AsideUnit, HumanUnit, StepUnit, Unit } from '../../log/steps.ts'
import {
  estimatedTokens,
  least,
  minus,
  most,
  plus,
  share,
  type EstimatedTokens,
} from '../../tokens/units.ts'
import type { Clipping } from '../clip/clip.ts'

/** What a cut works on. Sizes are estimated, as `counter` counts. */
export interface CutInput extends Clipping {
  units: readonly Unit[]
  /** The target size of the tail. */
  budget: EstimatedTokens
  /** The original target size of the tail, before a rung asked for less. */
  full: EstimatedTokens
  /** The size to which the second human message may stretch the tail. */
  stretch: EstimatedTokens
  /** The most that one human message may hold before its middle is clipped. */
  request: EstimatedTokens
  /** What the media of the unanswered request and of the newest steps may stretch the tail to. */
  media: EstimatedTokens
  /** So many older media stay while they fit. */
  olderMedia: number
  tailTurns: number
  /** Tools whose results are instructions to the agent. */
  protectedTools: readonly string[]
  /** Whether a provider takes no calls of steps that were kept: all but the newest go. */
  leavesCallsOut?: boolean
  /** Code writes the summary, which says what older talk said: it stays only in room left by that. */
  tellsTalk?: boolean
  /** Entries that are to stay: their units do, if there is room. */
  wanted?: ReadonlySet<Seq>
}

/** The tail is kept word for word except for clipped parts; the head is everything else. */
export interface Cut {
  tail: TailItem[]
  /** What the tail holds, as the counter of the input counts. */
  tailTokens: EstimatedTokens
  /** The part of it that is unanswered media, which may exceed the budget. */
  mediaTokens?: EstimatedTokens
  head: Unit[]
  /** Nothing is to change where the head is empty: no other rung is tried. */
  leave?: true
}

/** Divides a context into head and tail. */
export type CutStrategy = (input: CutInput) => Cut

// Steps whose media the model may still have to look at.
const newestSteps = 2

// A message from the harness may take this share of the tail before it is clipped.
const asideShare = 0.25

// The share of a full tail that is reserved for the newest step: its call with a fair part of its
// result. A model that can't see what it has just read would read it again, forever.
const newestShare = 0.25

// A newest step that is too large for the tail is clipped to this share of it: the steps before it
// and the summary say more than the rest of one large output.
const clippedShare = 0.4

/** A unit that stays, with the replacements for its media and its large parts. */
interface Kept {
  index: number
  unit: Unit
  replacements: Replacement[]
  tokens: EstimatedTokens
  /** What of it is media that the model works with. */
  media: EstimatedTokens
}

/**
 * The default (T8). It keeps the human messages of the last turns word for word, and as many of the
 * newest steps as fit, whole. The newest step always stays with a fair part of its results, and
 * what it or an unanswered request shows stays while it fits. Where steps are left out between
 * kept ones, a marker says so and quotes the text that a kept human message answers.
 */
export const cutBySteps: CutStrategy = (input) => {
  const { units } = input
  const kept = new Map<number, Kept>()
  const atWork = unitsAtWork(units)
  let used = estimatedTokens(0)
  let media = estimatedTokens(0)
  let olderMedia = input.olderMedia
  const keep = (candidate: Kept): void => {
    kept.set(candidate.index, candidate)
    used = plus(used, minus(candidate.tokens, candidate.media))
    media = plus(media, candidate.media)
  }
  /** The unit with those of its media that may stay and fit. */
  const measured = (index: number, room: EstimatedTokens): Kept => {
    const unit = units[index] as Unit
    const without = measureUnit(index, unit, input)
    const count = unit.items.reduce((sum, item) => sum + mediaIn(item), 0)
    if (count === 0) return without
    const replacements = unit.items.flatMap(earlierReplacements)
    const tokens = unitTokens(unit, replacements, input.counter)
    const fits = count <= olderMedia && tokens <= room
    if (atWork.has(index)) {
      const worked = withNewestMedia(without, minus(input.media, media), input)
      const isWhole = worked.replacements.length === replacements.length
      if (isWhole || unit.type === 'step' || !fits) {
        // No older one stays where one of these had to go.
        if (!isWhole) olderMedia = 0
        else if (unit.type === 'human') olderMedia -= count
        return worked
      }
    }
    if (!fits) return without
    olderMedia -= count
    return { ...without, replacements, tokens }
  }
  const newest = units.findLastIndex(({ type }) => type === 'step')
  const newestStep = units[newest]
  // An aborted step would be open again if everything after it were left out.
  if (
    newestStep?.type === 'step' &&
    newestStep.status !== 'aborted' &&
    newestStep.calls.length > 0
  ) {
    const room = newestRoom(units, input)
    const whole = measured(newest, room)
    const holds = minus(whole.tokens, whole.media)
    const clipped = least(room, share(input.full, clippedShare))
    keep(holds <= room ? whole : shrunkStep(whole, newestStep, clipped, input))
  }
  const staying = humansThatStay(units)
  for (const index of newestHumans(units, input.tailTurns)) {
    const room = minus(most(input.budget, input.stretch), used)
    const candidate = clippedHuman(measured(index, room), input)
    const holds = minus(candidate.tokens, candidate.media)
    if (staying.includes(index) || holds <= room) keep(candidate)
  }
  for (const index of wantedUnits(input)) {
    if (kept.has(index)) continue
    const room = minus(most(input.budget, input.stretch), used)
    const candidate = measured(index, room)
    if (minus(candidate.tokens, candidate.media) <= room) keep(candidate)
  }
  const talk = onlyTalk(units, input.tailTurns)
  const staysIn = input.tellsTalk ? [true] : [true, false]
  for (const waits of talk.size > 0 ? staysIn : [false]) {
    for (let index = units.length - 1; index >= 0; index--) {
      if (kept.has(index)) continue
      const unit = units[index] as Unit
      if (!mayStay(unit, input)) {
        if (unit.item.type === 'summary') break
        continue
      }
      if (waits && talk.has(unit)) continue
      const room = minus(input.budget, used)
      const candidate = measured(index, room)
      if (minus(candidate.tokens, candidate.media) > room) {
        break
      }
      keep(candidate)
    }
  }
  return { ...assemble(units, kept, input), mediaTokens: media }
}

/** What the newest step may hold: what the messages that must stay leave, but a fair part always. */
function newestRoom(units: readonly Unit[], input: CutInput): EstimatedTokens {
  const taken = humansThatStay(units).map((index) => {
    const human = clippedHuman(measureUnit(index, units[index] as Unit, input), input)
    return human.tokens
  })
  return most(minus(input.budget, ...taken), share(input.full, newestShare))
}

/** The newest steps, and what the human asked last: the model works with what they show. */
function unitsAtWork(units: readonly Unit[]): ReadonlySet<number> {
  const atWork = new Set<number>()
  // Only the end of a long context is looked at.
  for (let at = units.length - 1; at >= 0 && atWork.size < newestSteps; at--) {
    if (units[at]?.type === 'step') atWork.add(at)
  }
  return new Set([...atWork, ...humansThatStay(units)])
}

/** A unit with as many of its media as have room, the newest first. */
function withNewestMedia(without: Kept, room: EstimatedTokens, { counter }: CutInput): Kept {
  const { unit } = without
  const earlier = unit.items.flatMap(earlierReplacements)
  const described = without.replacements.filter((each) => !earlier.includes(each))
  for (let gone = 0; gone < described.length; gone++) {
    const replacements = [...earlier, ...described.slice(0, gone)]
    const tokens = unitTokens(unit, replacements, counter)
    const own = minus(tokens, without.tokens)
    if (own <= room) return { ...without, replacements, tokens, media: own }
  }
  return without
}

/**
 * Indexes of the human messages of the last turns, newest first, and of those that must be kept.
 */
function newestHumans(units: readonly Unit[], turns: number): number[] {
  const newest: number[] = []
  for (let at = units.length - 1; at >= 0 && newest.length < Math.trunc(turns); at--) {
    if (units[at]?.type === 'human') newest.push(at)
  }
  return [...newest, ...humansThatStay(units).filter((index) => !newest.includes(index))]
}

/**
 * The positions of the newest human message and of the latest request: an image or a blank message
 * asks for nothing.
 */
export function humansThatStay(units: readonly Unit[]): number[] {
  const newest = units.findLastIndex(({ type }) => type === 'human')
  const request = units.findLastIndex(
    (unit) => unit.type === 'human' && messageText(unit.message).trim() !== '',
  )
  return [...new Set([newest, request])].filter((index) => index >= 0)
}

/** Earlier summaries, gaps, pins and continuations are not turns: a new checkpoint makes its own. */
function mayStay(unit: Unit, { leavesCallsOut }: CutInput): boolean {
  if (leavesCallsOut && unit.type === 'step') return unit.calls.length === 0
  if (isOfEarlierCut(unit.item)) return false
  return unit.type !== 'aside' || unit.item.type === 'message' || unit.item.type === 'late'
}

/** Indexes of the units that are to stay, newest first. */
function wantedUnits(input: CutInput): number[] {
  const { units, wanted } = input
  if (!wanted || wanted.size === 0) return []
  return units
    .flatMap((unit, index) => {
      const seqs = unit.type === 'human' ? [unit.seq] : unit.items.map(({ seq }) => seq)
      return mayStay(unit, input) && seqs.some((seq) => wanted.has(seq)) ? [index] : []
    })
    .toReversed()
}

function measureUnit(index: number, unit: Unit, input: CutInput): Kept {
  const { budget, counter } = input
  const replacements = unit.items.flatMap(keptReplacements)
  const tokens = unitTokens(unit, replacements, counter)
  const room = share(budget, asideShare)
  const media = estimatedTokens(0)
  if (unit.type !== 'aside' || tokens <= room) return { index, unit, replacements, tokens, media }
  const clipped = clipAside(unit, replacements, room, input)
  const left = unitTokens(unit, clipped, counter)
  return { index, unit, replacements: clipped, tokens: left, media }
}

/** A step that is reduced to `room`, not counting its media. */
function shrunkStep(whole: Kept, unit: StepUnit, room: EstimatedTokens, input: CutInput): Kept {
  const within = plus(room, whole.media)
  const replacements = shrinkStep(unit, whole.replacements, within, input)
  return { ...whole, replacements, tokens: unitTokens(unit, replacements, input.counter) }
}

/** A human message whose middle is left out where it holds more than one may. */
function clippedHuman(whole: Kept, input: CutInput): Kept {
  const { unit, media } = whole
  if (unit.type !== 'human' || minus(whole.tokens, media) <= input.request) return whole
  const replacements = clipHuman(unit, whole.replacements, input.request, input)
  return { ...whole, replacements, tokens: unitTokens(unit, replacements, input.counter) }
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
  return { tail, tailTokens, head: headOf(units, indexes) }
}

/** What is between the units that are kept, except an earlier summary. */
function headOf(units: readonly Unit[], kept: readonly number[]): Unit[] {
  const head: Unit[] = []
  let from = 0
  for (const index of [...kept, units.length]) {
    for (let at = from; at < index; at++) {
      const unit = units[at] as Unit
      if (unit.item.type !== 'summary') head.push(unit)
    }
    from = index + 1
  }
  return head
}

function isLeftOut(unit: Unit): unit is HumanUnit | StepUnit | AsideUnit {
  return unit.item.type === 'message' && !isOfEarlierCut(unit.item)
}

function tailItems(unit: Unit, replacements: readonly Replacement[]): TailItem[] {
  const seqs: Seq[] =
    unit.type === 'human' ? [unit.seq] : unit.items.map((item: ContextItem) => item.seq)
  return seqs.map((seq) => {
    const own = replacements.filter(({ ref }) => ref.startsWith(`${seq}.`))
    return { type: 'entry', seq, ...(own.length > 0 && { replacements: own }) }
  })
}

/**
 * The units of turns before the last `turns` in which nobody called anything: the summary tells what
 * was said there, and what calls brought is seen in the tail alone. They stay where those leave room.
 */
function onlyTalk(units: readonly Unit[], turns: number): ReadonlySet<Unit> {
  const humans = units.flatMap(({ type }, at) => (type === 'human' ? [at] : []))
  const talk = new Set<Unit>()
  let last = humans.at(-Math.max(Math.trunc(turns), 1)) ?? 0
  for (const at of humans.toReversed()) {
    if (at >= last) continue
    const turn = units.slice(at, last)
    if (turn.every((unit) => unit.type !== 'step' || unit.calls.length === 0)) {
      for (const unit of turn) talk.add(unit)
    }
    last = at
  }
  return talk
}

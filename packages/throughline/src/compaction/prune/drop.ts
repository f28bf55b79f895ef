import { humansThatStay } from '../cut/cut.ts'
import { isCall, isReplaced, isResult, locatedParts, type Located } from '../clip/parts.ts'
import { attributeName } from '../render/summary-block.ts'
import { parseRef, ref as refOf, RefNotFoundError } from '../../log/ref.ts'
import { partText, type Part } from '../../log/message.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { unitsOf, type Unit } from '../../log/steps.ts'
import { wireText } from '../../tokens/estimate.ts'
import type { Context } from '../../log/context/context.ts'
import type { PruneDraft, Ref, Replacement, Seq } from '../../log/entry.ts'
import type { Counter } from '../../tokens/counter.ts'

/** Why something stays in a context that somebody wants to drop. */
export type DropProblem = 'gone' | 'pinned' | 'newest' | 'small'

/** What a ref names cannot be dropped from the context. */
export class DropError extends ThroughlineError<'DROP'> {
  static override readonly code = 'DROP'

  readonly ref: Ref
  readonly problem: DropProblem

  constructor({ ref, problem }: { ref: Ref; problem: DropProblem }) {
    const reasons: Readonly<Record<DropProblem, string>> = {
      gone: 'the model does not see it anymore: it was summarized, pruned or dropped before',
      pinned: 'it is pinned. Unpin it first',
      newest: 'it belongs to the latest request or the newest step, which must stay',
      small: 'it is not larger than the line that would stand in its place',
    }
    super(DropError.code, `${ref} cannot be dropped: ${reasons[problem]}. Nothing was changed.`)
    this.ref = ref
    this.problem = problem
  }
}

/** Entries from one to another, both included. */
export interface SeqRange {
  from: Seq
  through: Seq
}

export interface DropInput {
  context: Context
  counter: Counter
  refs: readonly Ref[]
  /** All that can go of these entries. */
  ranges?: readonly SeqRange[]
  /** Milliseconds since 1970. */
  now: number
}

/** A drop to append, and what stays of its ranges. */
export interface PlannedDrop {
  draft: PruneDraft
  stays: readonly { ref: Ref; problem: DropProblem }[]
}

/**
 * Takes messages or parts of them out of what the model sees. A prune entry like any other: each
 * part that goes leaves a line with its ref, by which it is read back; an assistant's message goes
 * with the results of its calls, and a call with its result, so that no pair is divided. What a ref
 * names must go; of a range, what cannot go stays.
 * @throws DropError, RefNotFoundError
 */
export function planDrop({ context, counter, refs, ranges = [], now }: DropInput): PlannedDrop {
  const units = unitsOf(context.items)
  // A pin or a note may stand behind the newest step.
  const newest = units.findLastIndex(({ type }) => type === 'human' || type === 'step')
  const staying = new Set([...humansThatStay(units), newest, units.length - 1])
  const replacements = new Map<Ref, Replacement>()
  const named = new Set<Ref>()
  const stays: { ref: Ref; problem: DropProblem }[] = []
  for (const ref of refs) {
    const index = units.findIndex((unit) => holds(unit, ref))
    if (index === -1) throw notThere(ref, context)
    const dropped = dropOf(ref, index)
    if (typeof dropped === 'string') throw new DropError({ ref, problem: dropped })
    take(ref, dropped)
  }
  for (const range of ranges) dropRange(range)
  return {
    draft: {
      kind: 'prune',
      at: now,
      base: context.seq,
      replacements: [...replacements.values()],
      metadata: { time: { compacted: now }, dropped: [...named] },
    },
    stays,
  }

  function dropRange({ from, through }: SeqRange): void {
    if (from < 1 || through > context.seq) throw notThere(refOf(from < 1 ? from : through), context)
    const before = stays.length
    let went = false
    for (const [index, { items }] of units.entries()) {
      for (const item of items) {
        if (item.type !== 'message' || item.seq < from || item.seq > through) continue
        const ref = refOf(item.seq)
        const dropped = dropOf(ref, index)
        if (typeof dropped === 'string') {
          stays.push({ ref, problem: dropped })
        } else {
          take(ref, dropped)
          went = true
        }
      }
    }
    if (!went) throw new DropError(stays[before] ?? { ref: refOf(from), problem: 'gone' })
  }

  function take(ref: Ref, dropped: readonly Replacement[]): void {
    named.add(ref)
    for (const each of dropped) replacements.set(each.ref, each)
  }

  function dropOf(ref: Ref, index: number): Replacement[] | DropProblem {
    const unit = units[index]
    if (!unit) return 'gone'
    if (staying.has(index)) return 'newest'
    const parts = partsNamed(unit, ref)
    if (parts.length === 0) return 'gone'
    if (parts.some((located) => isPinned(located.ref, context))) return 'pinned'
    const dropped = parts
      .filter((located) => !isReplaced(located))
      .flatMap((located) => replacementFor(located, counter) ?? [])
    if (dropped.length > 0) return dropped
    return parts.every(isReplaced) ? 'gone' : 'small'
  }
}

function notThere(ref: Ref, { seq: newest }: Context): Error {
  const seq = parseRef(ref)?.seq ?? 0
  return seq > newest || seq < 1
    ? new RefNotFoundError({ ref, newest })
    : new DropError({ ref, problem: 'gone' })
}

function holds(unit: Unit, ref: Ref): boolean {
  const seq = parseRef(ref)?.seq
  return unit.items.some((item) => item.type === 'message' && item.seq === seq)
}

/** What goes with a ref: the whole step of a message with calls, the result of a call. */
function partsNamed(unit: Unit, ref: Ref): Located[] {
  const parts = locatedParts(unit)
  const { seq, part } = parseRef(ref) ?? {}
  const own = parts.filter((located) =>
    part === undefined ? located.item.seq === seq : located.ref === ref,
  )
  const calls = new Set(own.filter(isCall).map(({ part }) => part.toolCallId))
  const results = parts.filter(
    (located) => isResult(located) && calls.has(located.part.toolCallId) && !own.includes(located),
  )
  return [...own, ...results]
}

function isPinned(ref: Ref, { pins }: Context): boolean {
  return [...pins.values()].some(
    ({ ref: pinned }) => pinned !== undefined && (pinned === ref || ref.startsWith(`${pinned}.`)),
  )
}

function replacementFor({ ref, part }: Located, counter: Counter): Replacement | undefined {
  const tokens = Math.round(counter.text(textOf(part)))
  if (part.type === 'tool-call') {
    const input = { dropped: ref, tokens }
    return counter.text(wireText(input)) < tokens ? { how: 'clipped', ref, input } : undefined
  }
  if (part.type === 'tool-approval-request' || part.type === 'tool-approval-response')
    return undefined
  const what = 'toolName' in part ? ` tool="${attributeName(part.toolName)}"` : ''
  const text = `<dropped${what} tokens="${tokens}" ref="${ref}" />`
  const isMedium = part.type === 'image' || part.type === 'file'
  return isMedium || counter.text(text) < tokens ? { how: 'pruned', ref, text } : undefined
}

function textOf(part: Part): string {
  return part.type === 'tool-call' ? wireText(part.input) : partText(part)
}

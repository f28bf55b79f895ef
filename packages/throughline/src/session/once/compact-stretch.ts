import { planInputFor } from './plan-input.ts'
import { compactAs, type CompactedLog, type CompactLogOptions } from './compact-log.ts'
import { humansThatStay, type Cut, type CutInput } from '../../compaction/cut/cut.ts'
import { plannedUnits } from '../../compaction/plan/planned-units.ts'
import { earlierReplacements } from '../../compaction/clip/describe-media.ts'
import { unitTokens } from '../../compaction/measure/unit-tokens.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { estimatedTokens, plus, sumEstimated, toModel } from '../../tokens/units.ts'
import type { PlanInput } from '../../compaction/plan/plan.ts'
import type { Entry, Omission, Seq, TailItem } from '../../log/entry.ts'
import type { Plugin } from '../plugins/plugin.ts'
import type { Unit } from '../../log/steps.ts'

/** A stretch of a context: from one entry through another, both included. */
export interface Stretch {
  from: Seq
  through: Seq
}

/** A stretch cannot become a summary: there is nothing of it, or it must stay. */
export class StretchError extends ThroughlineError<'STRETCH'> {
  static override readonly code = 'STRETCH'

  readonly stretch: Stretch
  readonly problem: 'empty' | 'newest' | 'larger'

  constructor({ stretch, problem }: { stretch: Stretch; problem: StretchError['problem'] }) {
    const { from, through } = stretch
    const reasons = {
      empty:
        'the model sees none of these entries anymore, or there are none. To see which there are: throughline report --log SESSION',
      newest:
        'they hold the latest request or the step that is not finished, which must stay. Name entries before them',
      larger: 'a summary would not be shorter than they are. Name a longer stretch',
    }
    super(
      StretchError.code,
      `Entries ${from} to ${through} cannot become a summary: ${reasons[problem]}.`,
    )
    this.stretch = stretch
    this.problem = problem
  }
}

// Of the stretch, what its summary may take, in estimated tokens.
const summaryShare = 0.25
const leastSummary = 400
const mostSummary = 6_000

// The block around a summary, and the line that replaces the stretch.
const wrapper = estimatedTokens(400)

/**
 * Makes a summary of a stretch of a context; all that stands before and after it stays word for
 * word. Steps are taken whole. The result is a checkpoint like any other, whose tail is the rest.
 * @throws StretchError, InvalidWindowError, CompactionVetoedError
 */
export async function compactStretch(
  log: Chronological,
  stretch: Stretch,
  options: CompactLogOptions & { keep?: number },
): Promise<CompactedLog> {
  const plugins = [...(options.plugins ?? []), sayingWhere(stretch)]
  const compacted = await compactAs(log, { ...options, plugins, trigger: 'manual' }, (input) =>
    inputFor(input, stretch, options.keep),
  )
  if (compacted.report.action !== 'summary') throw new StretchError({ stretch, problem: 'larger' })
  return compacted
}

/** A summary comes first, whatever it covers: its reader must know that more came before. */
function sayingWhere({ from, through }: Stretch): Plugin {
  const line = `This summary covers entries ${from} to ${through} alone. What came before and after them follows word for word, with a line where they stood.`
  return { name: 'stretch', afterSummary: ({ summary }) => `${line}\n\n${summary}` }
}

/** The input of a plan that takes the stretch for the head and everything else for the tail. */
export function stretchInput(
  log: Chronological,
  stretch: Stretch,
  options: CompactLogOptions & { keep?: number },
): PlanInput {
  return inputFor(planInputFor(log, { ...options, trigger: 'manual' }), stretch, options.keep)
}

function inputFor(input: PlanInput, stretch: Stretch, keep: number | undefined): PlanInput {
  const { context, counter, log, policy } = input
  const units = plannedUnits(context, input.facts(), log)
  const inside = units.filter((unit) => isInside(unit, stretch))
  if (inside.length === 0) throw new StretchError({ stretch, problem: 'empty' })
  checkFree(units, stretch)
  const sizeOf = (some: readonly Unit[]) =>
    sumEstimated(
      some.map((unit) => unitTokens(unit, unit.items.flatMap(earlierReplacements), counter)),
    )
  const tail = sizeOf(units.filter((unit) => !isInside(unit, stretch)))
  const head = sizeOf(inside)
  const wanted = keep ?? Math.min(Math.max(head * summaryShare, leastSummary), mostSummary)
  const room = toModel(plus(tail, wrapper), counter.ratio) + wanted
  const visible = new Set(units.filter((unit) => !isInside(unit, stretch)).flatMap(seqsOf))
  let facts: ReturnType<PlanInput['facts']> | undefined
  return {
    ...input,
    // The summary does not repeat what is next to it word for word.
    facts: () => (facts ??= factsOf(withoutMessages(log, visible), { lenses: policy.lenses })),
    policy: {
      ...policy,
      cut: (cut) => cutOut(cut, stretch),
      keep: () => room,
      lowWater: (usable) => Math.max(room * 2, usable),
      threshold: (usable) => Math.max(room * 4, usable),
      // The end of the conversation stays as it is.
      continuation: () => null,
    },
  }
}

/** @throws StretchError if the stretch holds what every context must hold. */
function checkFree(units: readonly Unit[], stretch: Stretch): void {
  const staying = [...humansThatStay(units), units.length - 1]
  const isNewest = staying.some((index) => {
    const unit = units[index]
    return unit && isInside(unit, stretch)
  })
  if (isNewest) throw new StretchError({ stretch, problem: 'newest' })
}

function isInside(unit: Unit, { from, through }: Stretch): boolean {
  if (unit.type === 'aside' && unit.item.type !== 'message' && unit.item.type !== 'late')
    return false
  return seqsOf(unit).some((seq) => from <= seq && seq <= through)
}

function seqsOf(unit: Unit): Seq[] {
  return unit.type === 'human' ? [unit.seq] : unit.items.map(({ seq }) => seq)
}

/** The stretch is the head. Where it stood, a line says so. */
function cutOut({ units, counter }: CutInput, stretch: Stretch): Cut {
  const head = units.filter((unit) => isInside(unit, stretch))
  const tail: TailItem[] = []
  let tailTokens = estimatedTokens(0)
  let told = false
  for (const unit of units) {
    if (isInside(unit, stretch)) {
      const marker = told || tail.length === 0 ? undefined : markerFor(head)
      told = true
      if (!marker) continue
      tail.push(marker)
      tailTokens = plus(tailTokens, counter.message({ role: 'user', content: marker.text }))
    } else if (unit.type !== 'aside' || unit.item.type === 'message' || unit.item.type === 'late') {
      const replacements = unit.items.flatMap(earlierReplacements)
      tail.push(...itemsOf(unit, replacements))
      tailTokens = plus(tailTokens, unitTokens(unit, replacements, counter))
    } else if (unit.item.type === 'omission') {
      const { from, to, text } = unit.item
      tail.push({ type: 'omission', from, to, text })
    }
  }
  return { head, tail, tailTokens }
}

function markerFor(head: readonly Unit[]): Omission {
  const seqs = head.flatMap(seqsOf)
  const [from, to] = [Math.min(...seqs), Math.max(...seqs)]
  const text = `[Entries ${from}–${to} stood here; the summary covers them.]`
  return { type: 'omission', from, to, text }
}

function itemsOf(unit: Unit, replacements: ReturnType<typeof earlierReplacements>): TailItem[] {
  return seqsOf(unit).map((seq) => {
    const own = replacements.filter(({ ref }) => ref.startsWith(`${seq}.`))
    return { type: 'entry', seq, ...(own.length > 0 && { replacements: own }) }
  })
}

/** The log with these messages blank, and every entry in its place. */
function withoutMessages(log: Chronological, seqs: ReadonlySet<Seq>): Chronological {
  return chronological(
    log.map((entry): Entry => {
      if (entry.kind !== 'message' || !seqs.has(entry.seq)) return entry
      const { seq, at } = entry
      return {
        kind: 'observation',
        seq,
        at,
        observation: { type: 'note', name: 'beside', data: null },
      }
    }),
  )
}

import { partsOf, type Part, type ToolCallPart, type ToolResultPart } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { estimatedTokens, minus, type EstimatedTokens } from '../../tokens/units.ts'
import type { MessageItem } from '../../log/context/context-item.ts'
import type { Ref, Replacement } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'

/** A part of a context and the ref that reads it back. */
export interface Located<P extends Part = Part> {
  ref: Ref
  part: P
  item: MessageItem
}

export function locatedParts(unit: Unit): Located[] {
  return unit.items.flatMap((item) =>
    item.type === 'message'
      ? partsOf(item.message).map((part, index) => ({ ref: ref(item.seq, index), part, item }))
      : [],
  )
}

/** The refs of the parts that some refs name: that of an entry names all of its parts. */
export function partsNamed(units: readonly Unit[], named: ReadonlySet<Ref>): Ref[] {
  const seqs = new Set([...named].map((ref) => Number.parseInt(ref, 10)))
  const holders = units.filter(({ items }) => items.some(({ seq }) => seqs.has(seq)))
  const parts = holders.flatMap(locatedParts)
  return parts.flatMap(({ ref, item }) => (named.has(ref) || named.has(`${item.seq}`) ? [ref] : []))
}

export function isResult(located: Located): located is Located<ToolResultPart> {
  return located.part.type === 'tool-result'
}

export function isCall(located: Located): located is Located<ToolCallPart> {
  return located.part.type === 'tool-call'
}

/** Whether this part has already been replaced. */
export function isReplaced({ ref, item }: Located): boolean {
  return item.replacements?.some((replacement) => replacement.ref === ref) ?? false
}

/** Merges replacements: a later one overrides an earlier one for the same part. */
export function mergeReplacements(
  earlier: readonly Replacement[],
  later: readonly Replacement[],
): Replacement[] {
  const refs = new Set(later.map(({ ref }) => ref))
  return [...earlier.filter(({ ref }) => !refs.has(ref)), ...later]
}

/** The largest size at which texts of these sizes fit into `room`, if each is cut to it. */
export function commonCap(
  sizes: readonly EstimatedTokens[],
  room: EstimatedTokens,
): EstimatedTokens {
  const ascending = sizes.toSorted((a, b) => a - b)
  let left = room
  for (const [index, size] of ascending.entries()) {
    const each = estimatedTokens(Math.max(Math.floor(left / (ascending.length - index)), 0))
    if (size > each) return each
    left = minus(left, size)
  }
  return estimatedTokens(Infinity)
}

import { outputText } from '../../log/message-text.ts'
import { clipInput } from './clip-input.ts'
import { clipText } from './clip.ts'
import { isCall, isResult, locatedParts } from './parts.ts'
import { clipNote } from './clip-note.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import {
  estimatedTokens,
  minus,
  most,
  sumEstimated,
  type EstimatedTokens,
} from '../../tokens/units.ts'
import type { Replacement } from '../../log/entry.ts'
import type { StepUnit } from '../../log/steps.ts'
import type { Clipping } from './clip-note.ts'

// The least that a clipped output keeps: its note and a line or two.
const leastOutput = estimatedTokens(60)
const clippedLeaf = estimatedTokens(60)

/**
 * Replacements that bring a step down to `room`, or as near as it goes: its largest
 * outputs are clipped to one common size, then the long texts of its inputs.
 */
export function shrinkStep(
  step: StepUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  clipping: Clipping,
): Replacement[] {
  const outputs = clipOutputs(step, replacements, room, clipping)
  if (unitTokens(step, outputs, clipping.counter) <= room) return outputs
  return clipInputs(step, outputs, clipping)
}

function clipOutputs(
  step: StepUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  { counter, recallTool }: Clipping,
): Replacement[] {
  const texts = new Map(
    locatedParts(step)
      .filter(isResult)
      .map(({ ref, part }) => [ref, textOf(ref) ?? outputText(part.output)] as const),
  )
  const sizes = [...texts].map(([ref, text]) => ({ ref, text, tokens: counter.text(text) }))
  const each = sizes.map(({ tokens }) => tokens)
  const rest = minus(unitTokens(step, replacements, counter), sumEstimated(each))
  const cap = most(commonCap(each, minus(room, rest)), leastOutput)
  const clipped = sizes
    .filter(({ tokens }) => tokens > cap)
    .map(({ ref, text }): Replacement => ({
      how: 'clipped',
      ref,
      text: clipText(text, { budget: cap, count: counter.text, note: clipNote(ref, recallTool) }),
    }))
  return merge(replacements, clipped)

  function textOf(ref: string): string | undefined {
    const replacement = replacements.find((item) => item.ref === ref)
    return replacement && 'text' in replacement ? replacement.text : undefined
  }
}

/** The largest size at which outputs of these sizes fit into `room`, if each is cut to it. */
function commonCap(sizes: readonly EstimatedTokens[], room: EstimatedTokens): EstimatedTokens {
  const ascending = sizes.toSorted((a, b) => a - b)
  let left = room
  for (const [index, size] of ascending.entries()) {
    const each = estimatedTokens(Math.floor(left / (ascending.length - index)))
    if (size > each) return each
    left = minus(left, size)
  }
  return estimatedTokens(Infinity)
}

function clipInputs(
  step: StepUnit,
  replacements: readonly Replacement[],
  { counter, recallTool }: Clipping,
): Replacement[] {
  const clipped = locatedParts(step)
    .filter(isCall)
    .flatMap(({ ref, part }): Replacement[] => {
      const input = clipInput(part.input, {
        leaf: clippedLeaf,
        count: counter.text,
        ref,
        recallTool,
      })
      return input === part.input ? [] : [{ how: 'clipped', ref, input }]
    })
  return merge(replacements, clipped)
}

function merge(earlier: readonly Replacement[], later: readonly Replacement[]): Replacement[] {
  const refs = new Set(later.map(({ ref }) => ref))
  return [...earlier.filter(({ ref }) => !refs.has(ref)), ...later]
}

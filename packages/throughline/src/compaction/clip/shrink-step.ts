import { stringLeaves } from '../../json/fields.ts'
import { outputText } from '../../log/message.ts'
import { clipInput } from './clip-input.ts'
import { clipLonger, clipNote, clipText, type Clipping } from './clip.ts'
import { isCall, isResult, locatedParts, commonCap, mergeReplacements } from './parts.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import {
  estimatedTokens,
  minus,
  most,
  share,
  sumEstimated,
  type EstimatedTokens,
} from '../../tokens/units.ts'
import type { Replacement } from '../../log/entry.ts'
import type { StepUnit } from '../../log/steps.ts'

// The least that a clipped output keeps: its note and a line or two. Of many it is the note and a
// few words: ten outputs of which nobody sees more than that would take the room of what was said.
const leastOutput = 60
const leastOfMany = 25
const leastOfAll = 120
const clippedLeaf = estimatedTokens(60)
const clippedText = estimatedTokens(400)

// An input costs more as it is sent than its texts alone.
const fittingShare = 0.95

/**
 * Replacements that bring a step down to `room`, or as near as it goes: its largest
 * outputs are clipped to one common size, then the long texts of its inputs, then what it says.
 */
export function shrinkStep(
  step: StepUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  clipping: Clipping,
): Replacement[] {
  const outputs = clipOutputs(step, replacements, room, clipping)
  if (unitTokens(step, outputs, clipping.counter) <= room) return outputs
  const fitting = fittingLeaf(step, outputs, room, clipping)
  for (const leaf of [fitting, share(fitting, 0.9), clippedLeaf]) {
    const inputs = clipInputs(step, outputs, { ...clipping, leaf })
    if (unitTokens(step, inputs, clipping.counter) <= room) return inputs
  }
  return clipTexts(step, clipInputs(step, outputs, { ...clipping, leaf: clippedLeaf }), clipping)
}

function clipOutputs(
  step: StepUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  clipping: Clipping,
): Replacement[] {
  const { counter } = clipping
  const texts = new Map(
    locatedParts(step)
      .filter(isResult)
      .map(({ ref, part }) => [ref, textOf(ref) ?? outputText(part.output)] as const),
  )
  const sizes = [...texts].map(([ref, text]) => ({ ref, text, tokens: counter.text(text) }))
  const each = sizes.map(({ tokens }) => tokens)
  const rest = minus(unitTokens(step, replacements, counter), sumEstimated(each))
  const cap = most(commonCap(each, minus(room, rest)), leastFor(sizes.length))
  return mergeReplacements(replacements, clipLonger(sizes, cap, clipping))

  function textOf(ref: string): string | undefined {
    const replacement = replacements.find((item) => item.ref === ref)
    return replacement && 'text' in replacement ? replacement.text : undefined
  }
}

/** What each of so many clipped outputs keeps at least. */
function leastFor(outputs: number): EstimatedTokens {
  const part = Math.floor(leastOfAll / Math.max(outputs, 1))
  return estimatedTokens(Math.min(leastOutput, Math.max(leastOfMany, part)))
}

/**
 * The size to which all long texts of the inputs have to be cut, so that the step fits. An input is
 * sent as JSON, where its texts take more room than by themselves.
 */
function fittingLeaf(
  step: StepUnit,
  replacements: readonly Replacement[],
  room: EstimatedTokens,
  { counter }: Clipping,
): EstimatedTokens {
  const leaves = locatedParts(step)
    .filter(isCall)
    .flatMap(({ part }) => [...stringLeaves(part.input)])
  const sent = leaves.map((leaf) => counter.text(JSON.stringify(leaf)))
  const larger = sumEstimated(sent) / Math.max(sumEstimated(leaves.map(counter.text)), 1)
  const rest = minus(unitTokens(step, replacements, counter), sumEstimated(sent))
  const cap = commonCap(sent, share(minus(room, rest), fittingShare))
  return most(share(cap, 1 / Math.max(larger, 1)), clippedLeaf)
}

function clipInputs(
  step: StepUnit,
  replacements: readonly Replacement[],
  { counter, recallTool, leaf }: Clipping & { leaf: EstimatedTokens },
): Replacement[] {
  const clipped = locatedParts(step)
    .filter(isCall)
    .flatMap(({ ref, part }): Replacement[] => {
      const input = clipInput(part.input, {
        leaf,
        count: counter.text,
        ref,
        recallTool,
      })
      return input === part.input ? [] : [{ how: 'clipped', ref, input }]
    })
  return mergeReplacements(replacements, clipped)
}

function clipTexts(
  step: StepUnit,
  replacements: readonly Replacement[],
  { counter, recallTool }: Clipping,
): Replacement[] {
  const clipped = locatedParts(step).flatMap(({ ref, part }): Replacement[] => {
    if (part.type !== 'text') return []
    const note = clipNote(ref, recallTool)
    const text = clipText(part.text, { budget: clippedText, count: counter.text, note })
    return text === part.text ? [] : [{ how: 'clipped', ref, text }]
  })
  return mergeReplacements(replacements, clipped)
}

import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { summaryBlock, withRecallNote } from '../render/summary-block.ts'
import {
  estimatedTokens,
  least,
  minus,
  modelTokens,
  most,
  plus,
  sumEstimated,
  toEstimated,
  toModel,
  type ModelTokens,
} from '../../tokens/units.ts'
import { measureFrame, type RequestFrame } from '../measure/measure.ts'
import type { Counter } from '../../tokens/counter.ts'
import { clipHuman } from '../clip/clip-human.ts'
import { keptReplacements } from '../clip/describe-media.ts'
import { humansThatStay } from '../cut/cut.ts'
import { requestTokens } from '../cut/planned-cut.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import type { Floor } from '../errors.ts'
import type { Context } from '../../log/context/context.ts'
import type { Unit } from '../../log/steps.ts'
import type { Facts } from '../../facts/facts.ts'

// The wrapper and the headings of an empty summary.
const skeleton = summaryBlock({
  summary: coreHeadings.map((heading) => `## ${heading}`).join('\n\n'),
  pins: [],
  takenBack: [],
})

// The line's end; the mark of a list, and the ref.
const perPin = estimatedTokens(1)
const perRule = estimatedTokens(4)

/** The least that any context of this session must hold. */
export function floorOf(
  {
    context,
    units,
    facts,
    frame,
    room,
    standing,
    recallTool,
  }: {
    context: Context
    units: readonly Unit[]
    facts: Facts
    frame: RequestFrame
    /** What the low-water mark leaves: one message may hold a part of it before it is clipped. */
    room: ModelTokens
    /** The most that pins and rules hold together. */
    standing: ModelTokens
    recallTool?: string | undefined
  },
  counter: Counter,
): Floor {
  const { ratio } = counter
  const { system, tools } = measureFrame(frame, counter)
  const pins = [...context.pins.values()].map(({ text }) => text)
  const rules = facts.rules.filter((rule) => rule.retractedBy === undefined)
  const request = sumEstimated(
    humansThatStay(units).map((at) => {
      const unit = units[at]
      if (unit?.type !== 'human') return estimatedTokens(0)
      const described = unit.items.flatMap(keptReplacements)
      const longest = requestTokens(toEstimated(room, ratio))
      return unitTokens(unit, clipHuman(unit, described, longest, { counter, recallTool }), counter)
    }),
  )
  const pinned = toModel(sumEstimated(pins.map((text) => plus(counter.text(text), perPin))), ratio)
  const ruled = sumEstimated(rules.map(({ text }) => plus(counter.text(text), perRule)))
  const tokens = {
    system,
    tools,
    pins: pinned,
    // Rules that code recognized are clipped where there are too many; only pins must fit whole.
    rules: least(toModel(ruled, ratio), most(minus(standing, pinned), modelTokens(0))),
    request: toModel(request, ratio),
  }
  const content = withRecallNote(skeleton, recallTool)
  const frameOfSummary = toModel(counter.message({ role: 'user', content }), ratio)
  return { ...tokens, total: plus(frameOfSummary, ...Object.values(tokens)) }
}

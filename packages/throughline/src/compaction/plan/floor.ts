import { summaryBlock, withRecallNote } from '../render/summary-block.ts'
import { measureFrame, scale, type Counter, type RequestFrame } from '../measure/measure.ts'
import { describeMedia } from '../clip/describe-media.ts'
import { standingHumans } from '../cut/cut.ts'
import { replaceParts } from '../../log/replace.ts'
import type { Floor } from '../errors.ts'
import type { Context } from '../../log/context.ts'
import type { Unit } from '../../log/steps.ts'
import type { Facts } from '../../facts/facts.ts'

// The wrapper and the five headings of an empty summary.
const skeleton = summaryBlock({
  summary: '## Goal\n\n## Instructions\n\n## Discoveries\n\n## Accomplished\n\n## Relevant files',
  pins: [],
  takenBack: [],
})

/** The least that any context of this session must hold. */
export function floorOf(
  {
    context,
    units,
    facts,
    frame,
    recallTool,
  }: {
    context: Context
    units: readonly Unit[]
    facts: Facts
    frame: RequestFrame
    recallTool?: string | undefined
  },
  counter: Counter,
): Floor {
  const { system, tools } = measureFrame(frame, counter)
  const pins = [...context.pins.values()].map(({ text }) => text)
  const rules = facts.rules.filter((rule) => rule.retractedBy === undefined)
  const request = sum(
    standingHumans(units).map((at) => {
      const unit = units[at]
      if (unit?.type !== 'human') return 0
      return counter.message(replaceParts(unit.message, describeMedia(unit.message, unit.seq)))
    }),
  )
  const tokens = {
    system,
    tools,
    pins: scale(
      pins.reduce((sum, text) => sum + counter.text(text) + 1, 0),
      counter,
    ),
    rules: scale(
      rules.reduce((sum, { text }) => sum + counter.text(text) + 4, 0),
      counter,
    ),
    request: scale(request, counter),
  }
  const content = withRecallNote(skeleton, recallTool)
  const frameOfSummary = scale(counter.message({ role: 'user', content }), counter)
  return { ...tokens, total: sum(Object.values(tokens)) + frameOfSummary }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

import { estimatedTokens, plus, sumEstimated, type EstimatedTokens } from '../../tokens/units.ts'
import { inSteps } from '../../json/all-steps.ts'
import { messageTokens } from '../../tokens/message-tokens.ts'
import { fieldsOf } from '../../json/fields.ts'
import { memoryCommand } from '../../facts/lenses/memory-call.ts'
import { isCall, isReplaced, isResult, locatedParts, type Located } from '../clip/parts.ts'
import type { Ref } from '../../log/entry.ts'
import type { ToolCallPart, ToolResultPart } from '../../log/message.ts'
import type { Unit } from '../../log/steps.ts'
import type { Counter } from '../../tokens/counter.ts'

/** T9: tools whose results are instructions to the agent; any case. Claude Code writes it `Skill`. */
export const protectedTools: readonly string[] = ['skill']

/**
 * The newest outputs that stay, in tokens of the model. opencode 1.18.33 protects 40,000; a quarter
 * of usable suits any window.
 */
export function recentOutputs(usable: number): number {
  return Math.min(40_000, Math.floor(usable / 4))
}

/** What a pruning never touches. Sizes are estimated, as `counter` counts. */
export interface Protection {
  /** How much of the newest output stays, and the minimum number of steps that stay. */
  recent: EstimatedTokens
  recentSteps: number
  tailTurns: number
  protectedTools: readonly string[]
  pinned: ReadonlySet<Ref>
  counter: Counter
}

/** What is not protected: results and calls before the recent span, oldest first. In steps. */
export function* unprotected(
  units: readonly Unit[],
  protection: Protection,
): Generator<undefined, { results: Located<ToolResultPart>[]; calls: Located<ToolCallPart>[] }> {
  const tools = new Set(protection.protectedTools.map((tool) => tool.toLowerCase()))
  const results: Located<ToolResultPart>[] = []
  const calls: Located<ToolCallPart>[] = []
  yield* inSteps(units.slice(0, recentStart(units, protection)), (unit) => {
    for (const located of locatedParts(unit)) {
      if (isReplaced(located) || protection.pinned.has(located.ref)) continue
      if (isCall(located)) calls.push(located)
      else if (isResult(located) && !tools.has(located.part.toolName.toLowerCase()))
        results.push(located)
    }
    return []
  })
  return { results, calls }
}

/**
 * The newest view of each file and directory by Anthropic's memory tool: the agent works by these
 * notes of its own.
 */
export function newestMemoryViews(units: readonly Unit[]): Set<Ref> {
  const newest = new Set<Ref>()
  const seen = new Set<string>()
  for (const unit of units.toReversed()) {
    if (unit.type !== 'step') continue
    const views = unit.calls.filter((call) => memoryCommand(call.toolName, call.input) === 'view')
    if (views.length === 0) continue
    for (const { ref, part } of locatedParts(unit).filter(isResult)) {
      const call = views.find(({ toolCallId }) => toolCallId === part.toolCallId)
      if (!call) continue
      const { path, view_range } = fieldsOf(call.input) ?? {}
      const shown = JSON.stringify([path, view_range])
      if (seen.has(shown)) continue
      seen.add(shown)
      newest.add(ref)
    }
  }
  return newest
}

/**
 * Where the recent span begins: at the second-last human message, or later if the outputs since
 * then exceed `recent`, but never after the last steps.
 */
export function recentStart(
  units: readonly Unit[],
  { recent, recentSteps, tailTurns, counter }: Protection,
): number {
  let humans = 0
  let steps = 0
  let outputs = estimatedTokens(0)
  for (let index = units.length - 1; index >= 0; index--) {
    const unit = units[index] as Unit
    if (unit.type === 'step') {
      const size = sumEstimated(unit.results.map((part) => outputTokens(part, counter)))
      if (steps >= recentSteps && plus(outputs, size) > recent) return index + 1
      outputs = plus(outputs, size)
      steps += 1
    }
    if (unit.type === 'human' && ++humans >= tailTurns) return index
  }
  return 0
}

export function outputTokens(part: ToolResultPart, counter: Counter): EstimatedTokens {
  return estimatedTokens(messageTokens({ role: 'tool', content: [part] }, counter.text))
}

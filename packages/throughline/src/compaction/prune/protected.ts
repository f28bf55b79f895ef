import { estimatedTokens, plus, sumEstimated, type EstimatedTokens } from '../../tokens/units.ts'
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
  /** Parts that are pinned. */
  pinned: ReadonlySet<Ref>
  counter: Counter
}

/** What is not protected: results and calls before the recent span, oldest first. */
export function unprotected(
  units: readonly Unit[],
  protection: Protection,
): { results: Located<ToolResultPart>[]; calls: Located<ToolCallPart>[] } {
  const tools = new Set(protection.protectedTools.map((tool) => tool.toLowerCase()))
  const old = units
    .slice(0, recentStart(units, protection))
    .flatMap(locatedParts)
    .filter((located) => !isReplaced(located) && !protection.pinned.has(located.ref))
  return {
    results: old.filter(isResult).filter(({ part }) => !tools.has(part.toolName.toLowerCase())),
    calls: old.filter(isCall),
  }
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
    for (const { ref, part } of locatedParts(unit).filter(isResult)) {
      const call = unit.calls.find(({ toolCallId }) => toolCallId === part.toolCallId)
      if (!call || memoryCommand(call.toolName, call.input) !== 'view') continue
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
  return counter.message({ role: 'tool', content: [part] })
}

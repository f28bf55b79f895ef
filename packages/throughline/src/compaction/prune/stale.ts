import { allSteps, inSteps } from '../../json/all-steps.ts'
import { outputText, type ToolCallPart, type ToolOutput } from '../../log/message.ts'
import { readCall } from '../../facts/lenses/read-call.ts'
import { isResult, locatedParts } from '../clip/parts.ts'
import type { Ref } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Effect, ToolLens } from '../../facts/lens.ts'

/**
 * Results that are out of date: reads of a file that was later read whole again, edited, written,
 * renamed or deleted.
 */
export function staleRefs(units: readonly Unit[], lenses: readonly ToolLens[]): Set<Ref> {
  return allSteps(staleSteps(units, lenses))
}

/** The same in steps. */
export function* staleSteps(
  units: readonly Unit[],
  lenses: readonly ToolLens[],
): Generator<undefined, Set<Ref>> {
  const stale = new Set<Ref>()
  const renewed = new Set<string>()
  yield* inSteps(units.toReversed(), (unit) => {
    if (unit.type !== 'step') return []
    const calls = new Map(unit.calls.map((call) => [call.toolCallId, call]))
    const results = locatedParts(unit).filter(isResult)
    const effects = results.map(({ ref, part }) => ({
      ref,
      effects: effectsOf(calls.get(part.toolCallId), part.output, lenses),
    }))
    for (const { ref, effects: own } of effects) {
      const paths = own.flatMap((effect) => (effect.type === 'read' ? [effect.path] : []))
      if (
        paths.length === own.length &&
        paths.length > 0 &&
        paths.every((path) => renewed.has(path))
      ) {
        stale.add(ref)
      }
    }
    for (const path of effects.flatMap(({ effects: own }) => own.flatMap(renewedPaths))) {
      renewed.add(path)
    }
    return []
  })
  return stale
}

function effectsOf(
  call: ToolCallPart | undefined,
  output: ToolOutput,
  lenses: readonly ToolLens[],
): Effect[] {
  if (!call) return []
  const failed = output.type === 'error-text' || output.type === 'error-json'
  const text = outputText(output)
  return readCall({ tool: call.toolName, input: call.input, output: text, failed }, lenses)
}

function renewedPaths(effect: Effect): string[] {
  switch (effect.type) {
    case 'read':
      return effect.range ? [] : [effect.path]
    case 'create':
    case 'edit':
    case 'delete':
      return [effect.path]
    case 'rename':
      return [effect.path, effect.to]
    default:
      return []
  }
}

import { outputText } from '../../log/message-text.ts'
import { readCall } from '../../facts/lenses/read-call.ts'
import { partSize } from './part-size.ts'
import { belowRoot } from './below-root.ts'
import { Shares, type Share } from './shares.ts'
import type { Counter } from '../../compaction/plan/measure.ts'
import type { ToolCallPart, ToolResultPart } from '../../log/message.ts'
import type { Unit } from '../../log/steps.ts'
import type { Policy } from '../../compaction/policy.ts'

/** What calls and their results hold, by tool and by the file that they are about. */
export function callShares(
  units: readonly Unit[],
  root: string | undefined,
  counter: Counter,
  { lenses }: Policy,
): { tools: Share[]; files: Share[] } {
  const tools = new Shares()
  const files = new Shares()
  for (const unit of units) {
    if (unit.type !== 'step') continue
    const results = new Map(unit.results.map((result) => [result.toolCallId, result]))
    for (const call of unit.calls) {
      const result = results.get(call.toolCallId)
      const tokens = partSize(call, counter) + (result ? partSize(result, counter) : 0)
      tools.add(call.toolName, tokens)
      const paths = pathsOf(call, result, lenses)
      for (const path of paths) files.add(belowRoot(root, path), tokens / paths.length)
    }
  }
  return { tools: tools.sorted(), files: files.sorted() }
}

function pathsOf(
  { toolName, input }: ToolCallPart,
  result: ToolResultPart | undefined,
  lenses: Policy['lenses'],
): string[] {
  const effects = readCall(
    {
      tool: toolName,
      input,
      output: result && outputText(result.output),
      failed: result?.output.type.startsWith('error') ?? false,
    },
    lenses,
  )
  const paths = effects.flatMap((effect) =>
    'path' in effect && effect.path !== undefined && effect.type !== 'directory'
      ? [effect.path]
      : [],
  )
  return [...new Set(paths)]
}

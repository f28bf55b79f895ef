import { readCall } from '../facts/lenses/read-call.ts'
import { outputText } from '../log/message-text.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { ToolCallPart, ToolResultPart } from '../log/message.ts'
import type { Unit } from '../log/steps.ts'
import type { Filling } from './model.ts'

/** What calls and their results hold of a context, by tool and by file, the largest first. */
export function fillings(
  units: readonly Unit[],
  {
    sizeOf,
    root,
    lenses,
  }: {
    sizeOf: (part: ToolCallPart | ToolResultPart) => number
    /** The directory that paths are shown relative to. */
    root: string | undefined
    lenses: readonly ToolLens[] | undefined
  },
): { tools: Filling[]; files: Filling[] } {
  const tools = new Map<string, Filling>()
  const files = new Map<string, Filling>()
  for (const unit of units) {
    if (unit.type !== 'step') continue
    const results = new Map(unit.results.map((result) => [result.toolCallId, result]))
    for (const call of unit.calls) {
      const result = results.get(call.toolCallId)
      const tokens = sizeOf(call) + (result ? sizeOf(result) : 0)
      addTo(tools, call.toolName, tokens)
      const paths = pathsOf(call, result, lenses)
      for (const path of paths) addTo(files, below(root, path), tokens / paths.length)
    }
  }
  return { tools: sorted(tools), files: sorted(files) }
}

function addTo(all: Map<string, Filling>, name: string, tokens: number): void {
  const known = all.get(name)
  if (!known) return void all.set(name, { name, tokens, count: 1 })
  known.tokens += tokens
  known.count += 1
}

function sorted(all: Map<string, Filling>): Filling[] {
  return [...all.values()].sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1))
}

function pathsOf(
  { toolName: tool, input }: ToolCallPart,
  result: ToolResultPart | undefined,
  lenses: readonly ToolLens[] | undefined,
): string[] {
  const output = result && outputText(result.output)
  const failed = result?.output.type.startsWith('error') ?? false
  const paths = readCall({ tool, input, output, failed }, lenses).flatMap((effect) =>
    'path' in effect && effect.path !== undefined && effect.type !== 'directory'
      ? [effect.path]
      : [],
  )
  return [...new Set(paths)]
}

function below(root: string | undefined, path: string): string {
  return root && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

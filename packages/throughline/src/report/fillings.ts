import { readCall } from '../facts/lenses/read-call.ts'
import { outputText } from '../log/message-text.ts'
import { unitsOf } from '../log/steps.ts'
import { partTokens } from './kinds.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { ToolCallPart, ToolResultPart } from '../log/message.ts'
import type { ModelOrder } from '../log/order.ts'
import type { Counting } from './filling.ts'
import type { Filling } from './model.ts'

const mostShown = 200

/** What calls and their results hold of a context, by tool and by file, the largest first. */
export function fillings(
  items: ModelOrder,
  {
    counter,
    root,
    lenses,
  }: Pick<Counting, 'counter'> & {
    root: string | undefined
    lenses: readonly ToolLens[] | undefined
  },
): { tools: Filling[]; files: Filling[] } {
  const tools = new Map<string, Filling>()
  const files = new Map<string, Filling>()
  for (const unit of unitsOf(items)) {
    if (unit.type !== 'step') continue
    const results = new Map(unit.results.map((result) => [result.toolCallId, result]))
    for (const call of unit.calls) {
      const result = results.get(call.toolCallId)
      const tokens = partTokens(call, counter) + (result ? partTokens(result, counter) : 0)
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
  return [...all.values()]
    .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1))
    .slice(0, mostShown)
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

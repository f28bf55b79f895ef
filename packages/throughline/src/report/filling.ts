import { itemKinds, noKinds, sumOfKinds } from './kinds.ts'
import { kinds, type KindTokens, type Filling } from './model.ts'
import { readCall } from '../facts/lenses/read-call.ts'
import { outputText, type ToolCallPart, type ToolResultPart } from '../log/message.ts'
import type { SummaryRole } from '../compaction/render/summary-block.ts'
import type { ContextItem } from '../log/context/context-item.ts'
import type { ModelOrder } from '../log/order.ts'
import type { Seq } from '../log/entry.ts'
import type { Counter } from '../tokens/counter.ts'
import type { ToolLens } from '../facts/lens.ts'
import type { Unit } from '../log/steps.ts'

export interface Counting {
  counter: Counter
  summaryRole: SummaryRole
}

/** The entry that an item shows: a continuation shows the message that it repeats. */
export function entryOf(item: ContextItem): Seq {
  return item.type === 'continuation' ? (item.continuation.of ?? item.seq) : item.seq
}

/** Follows a context while it grows and changes: what it holds, and which entry holds how much. */
export interface Filled {
  kinds: KindTokens
  /** The tokens of each entry in it. */
  byEntry: ReadonlyMap<Seq, number>
  follow: (items: ModelOrder) => Followed
}

/** What is new in a context since it was looked at last. */
export interface Followed {
  /** Something else than its end has changed: all that it holds is new. */
  rebuilt: boolean
  /** The entries that hold more than before. */
  touched: readonly Seq[]
}

export function filled(counting: Counting): Filled {
  const known = new WeakMap<ContextItem, KindTokens>()
  const byEntry = new Map<Seq, number>()
  let seen: ModelOrder | undefined
  let done = 0
  const all: Filled = { kinds: noKinds(), byEntry, follow }
  return all

  function follow(items: ModelOrder): Followed {
    const grown = items === seen && items.length >= done
    if (!grown) {
      seen = items
      done = 0
      all.kinds = noKinds()
      byEntry.clear()
    }
    const touched: Seq[] = []
    for (; done < items.length; done++) touched.push(add(items[done] as ContextItem))
    return { rebuilt: !grown, touched }
  }

  function add(item: ContextItem): Seq {
    const held = kindsOfItem(item)
    for (const kind of kinds) all.kinds[kind] += held[kind]
    const seq = entryOf(item)
    byEntry.set(seq, (byEntry.get(seq) ?? 0) + sumOfKinds(held))
    return seq
  }

  function kindsOfItem(item: ContextItem): KindTokens {
    let held = known.get(item)
    if (!held) known.set(item, (held = itemKinds(item, counting)))
    return held
  }
}

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
      addFilling(tools, call.toolName, tokens)
      const paths = pathsOf(call, result, lenses)
      for (const path of paths) addFilling(files, belowRoot(root, path), tokens / paths.length)
    }
  }
  return { tools: largestFirst(tools), files: largestFirst(files) }
}

export function addFilling(all: Map<string, Filling>, name: string, tokens: number): void {
  const known = all.get(name)
  if (!known) return void all.set(name, { name, tokens, count: 1 })
  known.tokens += tokens
  known.count += 1
}

/** Fillings, the largest first. */
export function largestFirst(all: Map<string, Filling>): Filling[] {
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

/** A path relative to the root directory, if it is below it. */
export function belowRoot(root: string | undefined, path: string): string {
  return root && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

import { partsOf, type AssistantMessage, type Message, type Part } from '../log/message.ts'
import { toModelShare } from '../tokens/units.ts'
import { kinds, type Kind, type KindTokens } from './model.ts'
import { keptMessage, renderContext } from '../compaction/render/render.ts'
import { modelOrder } from '../log/order.ts'
import type { SummaryRole } from '../compaction/render/summary-block.ts'
import type { ContextItem } from '../log/context/context-item.ts'
import type { Origin } from '../log/entry.ts'
import type { Counter } from '../tokens/counter.ts'

/** How our counts fit the provider's: what every request holds besides, and a factor. */
export interface Fit {
  fixed: number
  scale: number
}

// Beyond these, it isn't our counts that are off.
const leastScale = 0.5
const mostScale = 2

/**
 * Learns what every request holds besides the messages of the file, such as tools: a request with
 * few messages tells it best. What is left of a difference is how far off our counts are.
 */
export function fittingTo(known: number) {
  let fit: Fit = { fixed: known, scale: 1 }
  let base = known
  let smallest = Infinity
  let changedTo: number | undefined
  return {
    now: (): Fit => fit,
    sizeOf: (own: number): number => fit.fixed + own * fit.scale,
    /** The context holds this much after a change of the view. */
    changed: (own: number): void => void (changedTo = own),
    /** @returns the size right after the last change of the view, if no request came between. */
    count(own: number, reported: number): number | undefined {
      if (own < smallest) {
        smallest = own
        base = Math.max(reported - own, 0)
      }
      const exact = own > 0 ? (reported - base) / own : 1
      const scale = Math.min(Math.max(exact, leastScale), mostScale)
      const fixed = Math.max(reported - own * scale, 0)
      fit = { fixed, scale: own > 0 ? (reported - fixed) / own : 1 }
      const since = changedTo === undefined ? undefined : own - changedTo
      changedTo = undefined
      return since === undefined ? undefined : reported - since * fit.scale
    },
  }
}

export function noKinds(): KindTokens {
  return Object.fromEntries(kinds.map((kind) => [kind, 0])) as KindTokens
}

export function sumOfKinds(all: KindTokens): number {
  return kinds.reduce((sum, kind) => sum + all[kind], 0)
}

/** What an item of a context holds, by kind, in tokens of the model; its parts add up to it. */
export function itemKinds(
  item: ContextItem,
  { counter, summaryRole }: { counter: Counter; summaryRole: SummaryRole },
): KindTokens {
  const held = noKinds()
  const add = (kind: Kind, tokens: number): void => void (held[kind] += tokens)
  if (item.type === 'message') {
    const message = keptMessage(item)
    if (message) addMessage(add, message, item.origin, counter)
    return held
  }
  const [message] = renderContext(modelOrder([item]), summaryRole).messages
  if (message === undefined) return held
  const tokens = sizeOf(message, counter)
  if (item.type === 'summary') add('summary', tokens)
  else if (item.type === 'late') add('results', tokens)
  else if (item.type === 'continuation' && item.continuation.of !== undefined) add('human', tokens)
  else add('harness', tokens)
  return held
}

function sizeOf(message: Message, counter: Counter): number {
  return toModelShare(counter.message(message), counter.ratio)
}

function addMessage(
  add: (kind: Kind, tokens: number) => void,
  message: Message,
  origin: Origin,
  counter: Counter,
): void {
  const tokens = sizeOf(message, counter)
  if (message.role === 'tool') return add('results', tokens)
  if (message.role !== 'assistant') return add(origin === 'human' ? 'human' : 'harness', tokens)
  let rest = tokens
  let says = typeof message.content === 'string'
  for (const part of partsOf(message)) {
    const kind = kindOf(part)
    if (kind === 'assistant') {
      says = true
      continue
    }
    const own = partTokens(part, counter)
    add(kind, own)
    rest -= own
  }
  // What the message itself costs counts toward its first call.
  add(says ? 'assistant' : 'calls', rest)
}

function kindOf(part: Part): Kind {
  if (part.type === 'reasoning' || part.type === 'reasoning-file') return 'thinking'
  if (part.type === 'tool-call') return 'calls'
  return part.type === 'tool-result' ? 'results' : 'assistant'
}

const empty: AssistantMessage = { role: 'assistant', content: [] }

export function partTokens(part: Part, counter: Counter): number {
  const message = { ...empty, content: [part] } as AssistantMessage
  return toModelShare(counter.message(message), counter.ratio) - sizeOf(empty, counter)
}

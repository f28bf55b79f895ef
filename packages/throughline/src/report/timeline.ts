import { measureFrame, type RequestFrame } from '../compaction/measure/measure.ts'
import { advanceContext, emptyContext, type Context } from '../log/context.ts'
import { carryings, type Carriage } from './carriage.ts'
import { fittingTo, type Fit } from './fit.ts'
import { requestCosts, type Spending } from './request-costs.ts'
import type { Prices } from '../tokens/prices.ts'
import { filled, type Counting, type Filled } from './filling.ts'
import { noKinds, sumOfKinds } from './kinds.ts'
import { kinds, type Kind, type KindTokens, type Requests } from './model.ts'
import type { ContextItem } from '../log/context-item.ts'
import type { EntryOf, Seq, Usage } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'

/** The context right before and after an entry that changed the view. */
export interface ViewChange {
  entry: EntryOf<'checkpoint'> | EntryOf<'prune'> | EntryOf<'rewind'>
  before: readonly ContextItem[]
  after: readonly ContextItem[]
  /** The size of a request with each of them. */
  sizes: { before: number; after: number }
  fit: Fit
  /** How many requests came before. */
  request: number
}

/** A session from its first request to its last. */
export interface Timeline {
  requests: Requests
  changes: ViewChange[]
  carried: ReadonlyMap<Seq, Carriage>
  spending: Spending
  /** What the input of all requests cost, shared out by size. */
  dollarsByKind: KindTokens
  /** What stands in the context now; `fixed` is what no file holds. */
  now: { kinds: KindTokens; filled: Filled; context: Context; counted: boolean; fit: Fit }
}

export interface TimelineOptions extends Counting {
  frame: RequestFrame
  /** Instead of the list prices of the models. */
  prices?: Prices | undefined
}

// Usage further off than this counts something else than the request.
const believable = 4
// What system prompt and tools may hold, where nobody says.
const largestFrame = 100_000

/** Folds a log once, request by request; what it takes grows with the log, not with its square. */
export function timelineOf(log: Chronological, options: TimelineOptions): Timeline {
  const { counter, frame } = options
  const context = emptyContext()
  const fill = filled(options)
  const frameParts = measureFrame(frame, counter)
  const fitting = fittingTo(frameParts.system + frameParts.tools)
  const requests = noRequests()
  const changes: ViewChange[] = []
  const cost = requestCosts(options.prices)
  const carrying = carryings()
  let counted = false
  for (const entry of log) {
    if (entry.kind === 'message' && entry.message.role === 'assistant') addRequest(entry)
    const view = entry.kind === 'checkpoint' || entry.kind === 'prune' || entry.kind === 'rewind'
    const before = view ? [...context.items] : []
    const sizeBefore = fitting.sizeOf(sumOfKinds(fill.kinds))
    advanceContext(context, log, entry.seq)
    carrying.follow(fill.byEntry, fill.follow(context.items))
    if (!view) continue
    const own = sumOfKinds(fill.kinds)
    const sizes = { before: sizeBefore, after: fitting.sizeOf(own) }
    const request = requests.seq.length
    const fit = fitting.now()
    changes.push({ entry, before, after: [...context.items], sizes, request, fit })
    fitting.changed(own)
    cost.viewChanged()
    counted = false
  }
  const fit = fitting.now()
  return {
    requests,
    changes,
    carried: carrying.end(fill.byEntry),
    spending: cost.total(requests),
    dollarsByKind: cost.byKind,
    now: { kinds: scaled(fill.kinds, fit), filled: fill, context, counted, fit },
  }

  function addRequest({ seq, at, usage, model, message }: EntryOf<'message'>): void {
    const own = sumOfKinds(fill.kinds)
    const reported = believed(usage, own)
    if (reported !== undefined) {
      const size = fitting.count(own, reported)
      const last = changes.at(-1)
      if (size !== undefined && last) last.sizes.after = size
    }
    const fit = fitting.now()
    counted = reported !== undefined
    const tokens = reported ?? fitting.sizeOf(own)
    const output = outputOf(usage, counter.message(message) * counter.ratio)
    const request = { at, model: model ?? frame.model, usage, reported, tokens, ...fit, output }
    const priced = cost.add(request)
    const rate = tokens > 0 ? (priced.inputDollars ?? 0) / tokens : 0
    const held = scaled(fill.kinds, fit)
    for (const kind of kinds) {
      requests.kinds[kind].push(held[kind])
      cost.byKind[kind] += held[kind] * rate
    }
    requests.seq.push(seq)
    requests.at.push(at)
    requests.tokens.push(tokens)
    requests.counted.push(reported === undefined ? 0 : 1)
    requests.output.push(output)
    requests.cacheRead.push(priced.usage.cacheReadTokens)
    requests.cacheWrite.push(priced.usage.cacheWriteTokens)
    requests.dollars.push(priced.dollars)
    carrying.request(rate * fit.scale)
  }
}

function scaled(held: KindTokens, { fixed, scale }: Fit): KindTokens {
  const all = noKinds()
  for (const kind of kinds) all[kind] = held[kind] * scale
  return { ...all, fixed }
}

/** Some clients note what had been answered when the stream began: then our own count stands. */
function outputOf(usage: Usage | undefined, own: number): number {
  const reported = usage?.outputTokens ?? 0
  return reported < own / 2 ? own : reported
}

/** A provider's figure for a request, if it can be one of this context. */
function believed(usage: Usage | undefined, own: number): number | undefined {
  const tokens = usage?.inputTokens ?? 0
  if (tokens <= 0 || tokens < own / believable) return undefined
  return tokens > own * believable + largestFrame ? undefined : tokens
}

function noRequests(): Requests {
  return {
    seq: [],
    at: [],
    tokens: [],
    counted: [],
    output: [],
    cacheRead: [],
    cacheWrite: [],
    dollars: [],
    kinds: Object.fromEntries(kinds.map((kind) => [kind, [] as number[]])) as Record<
      Kind,
      number[]
    >,
  }
}

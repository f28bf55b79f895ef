import { measureFrame, type RequestFrame } from '../compaction/measure/measure.ts'
import { advanceContext, emptyContext, type Context } from '../log/context/context.ts'
import { fittingTo, noKinds, sumOfKinds, type Fit } from './kinds.ts'
import { filled, type Counting, type Filled, type Followed } from './filling.ts'
import { kinds, type Kind, type KindTokens, type Requests, type Money } from './model.ts'
import { answerTokens, costOf, pricesOf } from '../tokens/prices.ts'
import type { Prices } from '../tokens/price-table.ts'
import type { ContextItem } from '../log/context/context-item.ts'
import type { EntryOf, Seq, Usage } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'

const cacheLife = 300_000

/** What all requests cost. */
type Spending = Omit<Money, 'summaries' | 'kinds' | 'carried' | 'next'>

interface PricedRequest {
  at: number
  model: string | undefined
  usage: Usage | undefined
  reported: number | undefined
  tokens: number
  fixed: number
  output: number
}

/**
 * Prices requests as they come. A provider's figures are used if there are any; otherwise a cache
 * is assumed that keeps the beginning of a prompt for five minutes after its last use.
 */
function requestCosts(given: Prices | undefined) {
  const known = new Map<string, Prices | undefined>()
  const sums = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const dollars = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const byKind = noKinds()
  let all = 0
  let estimated = 0
  let unpriced = 0
  let cached = 0
  let usedAt = -Infinity
  let changed = false

  function pricesFor(model: string | undefined): Prices | undefined {
    if (given) return given
    if (model === undefined) return undefined
    if (!known.has(model)) known.set(model, pricesOf(model))
    return known.get(model)
  }

  function usageOf(request: PricedRequest): Required<Omit<Usage, 'clearedTokens'>> {
    const { at, usage, reported, tokens, fixed, output } = request
    const outputTokens = output
    if (reported !== undefined && usage) {
      const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
      return { inputTokens: reported, outputTokens, cacheReadTokens, cacheWriteTokens }
    }
    estimated += 1
    const warm = at - usedAt <= cacheLife ? (changed ? Math.min(fixed, cached) : cached) : 0
    const cacheReadTokens = Math.min(warm, tokens)
    return {
      inputTokens: tokens,
      outputTokens,
      cacheReadTokens,
      cacheWriteTokens: tokens - cacheReadTokens,
    }
  }

  return {
    byKind,
    viewChanged: () => void (changed = true),
    add(request: PricedRequest) {
      all += 1
      const usage = usageOf(request)
      cached = request.tokens
      usedAt = request.at
      changed = false
      const prices = pricesFor(request.model)
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
      const fresh = Math.max(inputTokens - cacheReadTokens - cacheWriteTokens, 0)
      sums.input += fresh
      sums.cacheRead += cacheReadTokens
      sums.cacheWrite += cacheWriteTokens
      sums.output += outputTokens
      if (!prices) {
        unpriced += 1
        return { usage, dollars: null, inputDollars: null }
      }
      const none = { inputTokens: 0, outputTokens: 0 }
      const parts = {
        input: costOf({ ...none, inputTokens: fresh }, prices),
        cacheRead: costOf({ ...none, inputTokens: cacheReadTokens, cacheReadTokens }, prices),
        cacheWrite: costOf({ ...none, inputTokens: cacheWriteTokens, cacheWriteTokens }, prices),
        output: costOf({ ...none, outputTokens }, prices),
      }
      for (const part of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) {
        dollars[part] += parts[part]
      }
      const inputDollars = parts.input + parts.cacheRead + parts.cacheWrite
      return { usage, dollars: inputDollars + parts.output, inputDollars }
    },
    total(): Spending {
      const part = (name: keyof typeof sums) => ({ tokens: sums[name], dollars: dollars[name] })
      const sum = dollars.input + dollars.cacheRead + dollars.cacheWrite + dollars.output
      return {
        dollars: unpriced === all ? null : sum,
        requests: all,
        unpriced,
        estimated,
        input: part('input'),
        cacheRead: part('cacheRead'),
        cacheWrite: part('cacheWrite'),
        output: part('output'),
      }
    },
  }
}

/** What was not sent. */
const forNothing = {
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  dollars: 0,
  inputDollars: 0,
}

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
  /** What is in the context now; `fixed` is what no file holds. */
  now: { kinds: KindTokens; filled: Filled; context: Context; counted: boolean; fit: Fit }
}

export interface TimelineOptions extends Counting {
  frame: RequestFrame
  /** Instead of the list prices of the models. */
  prices?: Prices | undefined
}

// Usage further off than this counts something else than the request.
const believable = 4
// What system prompt and tools may hold, if the session does not say.
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
  // Where usage is noted, an answer without it cost nothing: its client wrote it, or copied it.
  const noted = log.some((entry) => entry.kind === 'message' && entry.usage !== undefined)
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
    spending: cost.total(),
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
    const answered = counter.message(message) * counter.ratio
    const output = usage ? answerTokens(usage, answered) : answered
    const request = { at, model: model ?? frame.model, usage, reported, tokens, ...fit, output }
    const priced = noted && !usage ? forNothing : cost.add(request)
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

/** How often an entry was sent, and what that cost. */
interface Carriage {
  tokens: number
  times: number
  dollars: number
}

/** Adds up how often each entry was sent. A request costs nothing but its own prefix sums. */
function carryings() {
  const carried = new Map<Seq, Carriage>()
  const open = new Map<Seq, { tokens: number; times: number; dollars: number }>()
  let times = 0
  let rate = 0

  function close(seq: Seq): void {
    const held = open.get(seq)
    if (!held) return
    open.delete(seq)
    const sum = carried.get(seq) ?? { tokens: 0, times: 0, dollars: 0 }
    carried.set(seq, {
      tokens: Math.max(sum.tokens, held.tokens),
      times: sum.times + times - held.times,
      dollars: sum.dollars + held.tokens * (rate - held.dollars),
    })
  }

  return {
    request(each: number): void {
      times += 1
      rate += each
    },
    follow(byEntry: ReadonlyMap<Seq, number>, { rebuilt, touched }: Followed): void {
      if (rebuilt) {
        for (const [seq, { tokens }] of open) if (byEntry.get(seq) !== tokens) close(seq)
      }
      for (const seq of touched) {
        const tokens = byEntry.get(seq) ?? 0
        if (open.get(seq)?.tokens === tokens) continue
        close(seq)
        open.set(seq, { tokens, times, dollars: rate })
      }
    },
    end(byEntry: ReadonlyMap<Seq, number>): ReadonlyMap<Seq, Carriage> {
      for (const seq of byEntry.keys()) close(seq)
      return carried
    },
  }
}

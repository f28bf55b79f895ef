import { chronological, type Chronological } from '../log/order.ts'
import { compact } from '../compaction/compact.ts'
import { contextOf } from '../log/context/context.ts'
import { defaultPolicy, type Policy } from '../compaction/policy.ts'
import { factsOf } from '../facts/facts-of.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { tokensOf, visibleTextOfMessages } from './visible.ts'
import { closedCircuitBreaker } from '../compaction/summary/with-model/circuit-breaker.ts'
import { estimatedTokens, type EstimatedTokens } from '../tokens/units.ts'
import type { Counter } from '../tokens/counter.ts'
import type { Entry } from '../log/entry.ts'
import type { Facts } from '../facts/facts.ts'
import type { Message } from '../log/message.ts'
import type { PlanInput } from '../compaction/plan/plan.ts'
import type { Trigger } from '../compaction/trigger.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'
import type { Template } from '../compaction/summary/template.ts'
import type { Window } from '../tokens/window.ts'

/** How Throughline is set up for a measurement. */
export interface ThroughlineOptions {
  name?: string
  /** The default policy, except for what it keeps: all compactors get the same limit. */
  policy?: Policy
  /** Limits the tail to a quarter of what is usable; the limit on what is kept is stricter. */
  window?: Window
  /** Without it, the summary is local. */
  summarizer?: Summarizer
  template?: Template
  /** Who triggers: a person by default; with `auto`, a window that isn't full is left unchanged. */
  trigger?: Trigger
}

const counted = new WeakMap<Message, EstimatedTokens>()

/** Counts as for every compactor, so that the kept size means the same for all. */
const counter: Counter = {
  text: (text) => estimatedTokens(tokensOf(text)),
  message: (message) => {
    let tokens = counted.get(message)
    if (tokens === undefined) {
      tokens = estimatedTokens(tokensOf(visibleTextOfMessages([message])))
      counted.set(message, tokens)
    }
    return tokens
  },
  ratio: 1,
}

/**
 * Throughline as it is measured: one compaction that keeps the requested size.
 *
 * @example
 * const compactor = throughlineCompactor({ name: 'the seeds', policy: presets.seed })
 */
export function throughlineCompactor({
  name = 'throughline, local summary',
  policy = defaultPolicy,
  window = { context: 200_000 },
  summarizer,
  template,
  trigger = 'manual',
}: ThroughlineOptions): Compactor {
  return {
    name,
    compact: async (request) => {
      const input = planInput(request, { policy, window, trigger })
      const circuitBreaker = closedCircuitBreaker()
      const { drafts } = await compact(input, { now: 0, circuitBreaker, summarizer, template })
      const newest = request.log.at(-1)?.seq ?? 0
      const added = drafts.map((draft, index): Entry => ({ ...draft, seq: newest + index + 1 }))
      const log = chronological([...request.log, ...added])
      const { items, checkpoint } = contextOf(log)
      const { messages } = renderContext(items, summaryRoleOf(policy))
      return { log, summary: checkpoint?.summary ?? '', messages }
    },
  }
}

/** Throughline as the command runs it: the default policy, and no model. */
export const throughline: Compactor = throughlineCompactor({})

function planInput(
  { log, keep, directories }: CompactionRequest,
  { policy, window, trigger }: Pick<PlanInput, 'policy' | 'window' | 'trigger'>,
): PlanInput {
  let facts: Facts | undefined
  return {
    log,
    context: contextOf(log),
    facts: () => (facts ??= factsOf(log, { lenses: policy.lenses, directories })),
    frame: {},
    window,
    policy: { ...policy, keep: () => keep },
    counter,
    trigger,
  }
}

/**
 * What is evaluated. Any compactor fits: it takes a log and returns the context that the model sees
 * next, of at most `keep` tokens (bytes/4).
 */
export interface Compactor {
  name: string
  compact: (request: CompactionRequest) => Promise<Compacted>
}

/** What a compactor is given: a log, the tokens that it may keep, and the directories of the work. */
export interface CompactionRequest {
  log: Chronological
  keep: number
  directories: readonly string[]
}

export interface Compacted {
  /** The log including the compaction, for the next one to continue from. */
  log: Chronological
  summary: string
  /** The context that the model sees, summary first. */
  messages: readonly Message[]
}

/** The text that a compaction keeps: the summary and the tail. */
export function keptText({ messages }: Compacted): string {
  return visibleTextOfMessages(messages)
}

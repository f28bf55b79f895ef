import { costOf } from 'throughline/engine'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { PostgresError } from '../postgres/errors.ts'
import { ThroughlineError, type SessionEvent } from 'throughline'
import type { Answered } from '../server/answer-request.ts'
import type { Learned } from '../sessions/sessions.ts'
import type { ModelPrices } from './charging.ts'
import type { StoreState } from '../store/gateway-store.ts'
import type { Metering } from '../budgets/metered-upstream.ts'

const mostNames = 30
const longestName = 100

/**
 * The names of models that stand in metrics. Clients ask for whatever they like: a name counts when a
 * provider has answered for it, and only so many do; the others are one.
 */
class ModelLabels {
  readonly #names = new Set<string>()

  of(model: string | undefined, isAnswered: boolean): string {
    if (model === undefined || model === '') return 'none'
    const mayBegin = isAnswered && this.#names.size < mostNames && model.length <= longestName
    if (mayBegin) this.#names.add(model)
    return this.#names.has(model) ? model : 'other'
  }
}

interface Ended {
  status: number
  key: string
  answered: Answered | undefined
  /** Whether this gateway itself has refused it. */
  isRefused: boolean
}

/** How the process stands at the moment. */
interface Standing {
  /** Sessions at work in the thread, or waiting for it. */
  queued: number
  store: StoreState | undefined
}

interface MetricsOptions {
  standing: () => Standing
  pricesFor: (model: string | undefined) => ModelPrices | undefined
}

/** What a gateway counts, for Prometheus. Nothing in it is content, and no label is a session. */
export interface Metrics {
  begun: () => (ended: Ended) => void
  event: (event: SessionEvent) => void
  problem: (problem: unknown) => void
  learned: (learned: Learned) => void
  refused: (why: string) => void
  /** What a request with budgets has cost, and whether its provider has counted it. */
  spent: Metering['onSpent']
  text: () => Promise<string>
  readonly contentType: string
}

export function createMetrics({ standing, pricesFor }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const running = new Gauge({
    name: 'throughline_requests_running',
    help: 'Requests that are being answered, streams included.',
    registers,
  })
  const requests = new Counter({
    name: 'throughline_requests_total',
    help: 'Requests that were answered, by status and by the name of the key.',
    labelNames: ['status', 'key'],
    registers,
  })
  const seconds = new Histogram({
    name: 'throughline_request_seconds',
    help: 'From the first byte of a request to the last one of its answer.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers,
  })
  const did = new Counter({
    name: 'throughline_did_total',
    help: 'What was done for requests for an answer: nothing, kept, compacted, recovered, forwarded, refused, unreached.',
    labelNames: ['did'],
    registers,
  })
  const tokens = new Counter({
    name: 'throughline_provider_tokens_total',
    help: 'Tokens of followed sessions as providers count them.',
    labelNames: ['of'],
    registers,
  })
  const problems = new Counter({
    name: 'throughline_problems_total',
    help: 'What went wrong inside, for which a request was forwarded as it came.',
    labelNames: ['code', 'failure'],
    registers,
  })
  const compactions = new Counter({
    name: 'throughline_compactions_total',
    help: 'Compactions, by who wrote the summary.',
    labelNames: ['summarizer'],
    registers,
  })
  const less = new Counter({
    name: 'throughline_compacted_tokens_total',
    help: 'Estimated tokens by which compactions have made requests shorter.',
    registers,
  })
  const refusals = new Counter({
    name: 'throughline_refused_total',
    help: 'Requests that the gateway itself refused, by reason.',
    labelNames: ['why'],
    registers,
  })
  const spending = new Counter({
    name: 'throughline_spent_total',
    help: 'What was charged to budgets, in tokens or US dollars: counted by providers, or estimated.',
    labelNames: ['budget', 'how'],
    registers,
  })
  const windows = new Counter({
    name: 'throughline_windows_learned_total',
    help: 'Windows that refusals have taught, as named or as assumed, and those that were no windows.',
    labelNames: ['how'],
    registers,
  })
  const answers = new Counter({
    name: 'throughline_answers_total',
    help: 'Requests for an answer, by their key, API, model and how they ended.',
    labelNames: ['key', 'wire', 'model', 'outcome'],
    registers,
  })
  const first = new Histogram({
    name: 'throughline_first_byte_seconds',
    help: 'From the first byte of a request for an answer to the first one of its answer.',
    labelNames: ['wire'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  })
  const providerErrors = new Counter({
    name: 'throughline_provider_errors_total',
    help: 'Errors with which providers have answered, as clients got them.',
    labelNames: ['wire', 'status'],
    registers,
  })
  const savedTokens = new Counter({
    name: 'throughline_saved_tokens_total',
    help: 'Tokens that clients have sent and providers were not asked for, by our estimate.',
    labelNames: ['model'],
    registers,
  })
  const savedDollars = new Counter({
    name: 'throughline_saved_dollars_total',
    help: 'What those would have cost in US dollars, where a price is known. Summaries are not taken off.',
    labelNames: ['model'],
    registers,
  })
  const summaryDollars = new Counter({
    name: 'throughline_summaries_dollars_total',
    help: 'What summaries have cost in US dollars, where a price is known.',
    registers,
  })
  const models = new ModelLabels()
  const state = (name: string, help: string, value: () => number | undefined): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: () => gauge.set(value() ?? 0),
    })
  }
  state(
    'throughline_sessions_queued',
    'Work on sessions that is not done.',
    () => standing().queued,
  )
  state(
    'throughline_store_connections',
    'Connections to the store.',
    () => standing().store?.connections,
  )
  state(
    'throughline_store_waiting',
    'Calls that wait for a connection to the store.',
    () => standing().store?.waiting,
  )
  state('throughline_store_out', 'Whether the store does not answer.', () =>
    Number(standing().store?.isOut ?? false),
  )
  const answered = ({ did: what, usage, wire, firstAfter, ...rest }: Answered): void => {
    did.inc({ did: what })
    if (wire !== undefined && firstAfter !== undefined) {
      first.observe({ wire }, firstAfter / 1_000)
      if (rest.status >= 400) providerErrors.inc({ wire, status: String(rest.status) })
    }
    if (!usage) return
    tokens.inc({ of: 'input' }, usage.inputTokens)
    tokens.inc({ of: 'output' }, usage.outputTokens)
    tokens.inc({ of: 'cache-read' }, usage.cacheReadTokens ?? 0)
    const model = models.of(rest.model, true)
    const saving = savingOf({ did: what, usage, ...rest }, pricesFor(rest.model))
    if (saving.tokens > 0) savedTokens.inc({ model }, saving.tokens)
    if (saving.dollars) savedDollars.inc({ model }, saving.dollars)
  }
  return {
    begun() {
      running.inc()
      const end = seconds.startTimer()
      return ({ status, key, answered: what, isRefused }) => {
        running.dec()
        end()
        requests.inc({ status: String(status), key })
        if (!what) return
        answered(what)
        const outcome = outcomeOf(status, what, isRefused)
        const model = models.of(what.model, what.status < 400)
        answers.inc({ key, wire: what.wire ?? 'none', model, outcome })
      }
    },
    event(event) {
      if (event.type !== 'compaction-finished') return
      const { before, after, summarizer, attempts } = event.report
      for (const { cost = 0 } of attempts) summaryDollars.inc(cost)
      const by = summarizer === undefined ? 'none' : summarizer === 'local' ? 'local' : 'model'
      compactions.inc({ summarizer: by })
      less.inc(Math.max(0, before - after))
    },
    problem(problem) {
      const code = ThroughlineError.isInstance(problem) ? problem.code : 'INTERNAL'
      const failure = PostgresError.isInstance(problem) ? problem.failure : ''
      problems.inc({ code, failure })
    },
    learned({ context, isNamed }) {
      windows.inc({ how: context === undefined ? 'forgotten' : isNamed ? 'named' : 'assumed' })
    },
    refused: (why) => refusals.inc({ why }),
    spent(budgets, { cost, isCounted }) {
      const how = isCounted ? 'counted' : 'estimated'
      for (const { name: budget, of } of budgets) {
        const amount = of === 'tokens' ? cost.tokens : cost.microdollars / 1_000_000
        spending.inc({ budget, how }, amount)
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

type Outcome = 'answered' | 'refused' | 'provider_error' | 'unreached' | 'gone'

function outcomeOf(status: number, { status: given, did }: Answered, isRefused: boolean): Outcome {
  if (status === clientGone) return 'gone'
  if (did === 'unreached') return 'unreached'
  if (isRefused) return 'refused'
  return given >= 400 ? 'provider_error' : 'answered'
}

/** A client has gone before its answer had ended; as nginx calls it. */
export const clientGone = 499

/** What a request would have had more, had it gone out as its client sent it. */
interface Saving {
  tokens: number
  /** `undefined` where nobody knows the prices. */
  dollars: number | undefined
}

/**
 * What an answered request has saved: as many tokens more as its client’s bytes are more than those that
 * were sent, with the same share of them from the provider’s cache.
 */
function savingOf({ usage, bytes }: Answered, prices: ModelPrices | undefined): Saving {
  if (!usage || !bytes || bytes.sent >= bytes.own) return { tokens: 0, dollars: 0 }
  const times = bytes.own / bytes.sent
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const whole = {
    ...usage,
    inputTokens: inputTokens * times,
    ...(cacheReadTokens !== undefined && { cacheReadTokens: cacheReadTokens * times }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens: cacheWriteTokens * times }),
  }
  return {
    tokens: Math.round(whole.inputTokens - inputTokens),
    dollars: prices && costOf(whole, prices) - costOf(usage, prices),
  }
}

import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { PostgresError } from '../postgres/errors.ts'
import { ThroughlineError, type SessionEvent } from 'throughline'
import type { Answered } from '../server/answer-request.ts'
import type { Learned } from '../sessions/sessions.ts'
import type { Metering } from '../budgets/metered-upstream.ts'

/** What a gateway counts, for Prometheus. Nothing in it is content, and no label is a session. */
export interface Metrics {
  begun: () => (status: number, key: string) => void
  answered: (answered: Answered) => void
  event: (event: SessionEvent) => void
  problem: (problem: unknown) => void
  learned: (learned: Learned) => void
  refused: (why: string) => void
  /** What a request with budgets has cost, and whether its provider has counted it. */
  spent: Metering['onSpent']
  text: () => Promise<string>
  readonly contentType: string
}

export function createMetrics(): Metrics {
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
    help: 'What was done for requests for an answer: nothing, kept, compacted, recovered, forwarded.',
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
  return {
    begun() {
      running.inc()
      const end = seconds.startTimer()
      return (status, key) => {
        running.dec()
        end()
        requests.inc({ status: String(status), key })
      }
    },
    answered({ did: what, usage }) {
      did.inc({ did: what })
      if (!usage) return
      tokens.inc({ of: 'input' }, usage.inputTokens)
      tokens.inc({ of: 'output' }, usage.outputTokens)
      tokens.inc({ of: 'cache-read' }, usage.cacheReadTokens ?? 0)
    },
    event(event) {
      if (event.type !== 'compaction-finished') return
      const { before, after, summarizer } = event.report
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

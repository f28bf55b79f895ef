import { costOf, pricesOf, type Prices } from 'throughline/engine'
import { memoryGatewayStore, startGateway } from 'throughline-gateway'
import { startBilling, type Billing, type Receipt } from './receipts.ts'
import { drawnId, wireAgents, type WireAgent } from '../../packages/gateway/src/testing/agents.ts'

/** What a task costs, by receipts. */
export interface CostFigures {
  billing: Billing
  /** The model whose list prices are used. */
  model: string
  /** Seconds between two requests. */
  gap: number
  steps: number
  /** Tokens of the whole history in the end, which the direct client's model takes. */
  tokens: number
  window: number
  direct: Bill
  gateway: Bill & {
    /** Dollars: summaries, and what was not in the cache because the gateway had changed it. */
    summaries: number
    misses: number
    compactions: number
  }
  /** Share of the direct client's bill, after all that: both bills have their provider's discount. */
  saved: number
}

interface Bill {
  dollars: number
  /** Share of the input that was read from the cache. */
  cacheRead: number
  requests: number
}

const models: Readonly<Record<Billing, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
}

// Of the long task, which ends at three windows, and of those that end before one, at it and behind it.
const manySteps = 120
const fewerSteps = [15, 35, 50]
const stepBytes = 6_000
const window = 64_000

/** The same task with and without the gateway, for each gap between two requests. */
export async function measureCost(gaps: readonly number[]): Promise<CostFigures[]> {
  const all: CostFigures[] = []
  for (const billing of ['anthropic', 'openai'] as const) {
    for (const gap of gaps) all.push(await costAt(billing, gap, manySteps))
    for (const steps of fewerSteps) all.push(await costAt(billing, gaps[0] ?? 10, steps))
  }
  return all
}

async function costAt(billing: Billing, gap: number, steps: number): Promise<CostFigures> {
  const model = models[billing]
  const prices = pricesOf(model)
  if (!prices) throw new Error(`No price of ${model} is known.`)
  const direct = await task(billing, { gap, steps, isBehind: false })
  const behind = await task(billing, { gap, steps, isBehind: true })
  const before = billOf(direct.receipts, prices)
  const own = billOf(
    behind.receipts.filter((receipt) => receipt.for === 'agent'),
    prices,
  )
  const summaries = behind.receipts
    .filter((receipt) => receipt.for === 'summary')
    .reduce((sum, receipt) => sum + dollarsOf(receipt, prices), 0)
  const dollars = own.dollars + summaries
  const last = direct.receipts.at(-1) as Receipt
  return {
    billing,
    model,
    gap,
    steps,
    tokens: Math.round(last.read + last.written + last.fresh),
    window,
    direct: before,
    gateway: {
      ...own,
      dollars,
      summaries,
      misses: missesOf(behind, prices),
      compactions: behind.dids.filter((did) => did === 'compacted').length,
    },
    saved: 1 - dollars / before.dollars,
  }
}

interface TaskRun {
  receipts: readonly Receipt[]
  dids: string[]
}

async function task(
  billing: Billing,
  { gap, steps, isBehind }: { gap: number; steps: number; isBehind: boolean },
): Promise<TaskRun> {
  let clock = 0
  const now = (): number => clock
  const provider = await startBilling(billing, now)
  const gateway = isBehind
    ? await startGateway({
        upstreams: { anthropic: provider.url, openai: `${provider.url}/v1` },
        store: memoryGatewayStore(),
        sessions: { window: { context: window }, when: 'before' },
        now,
      })
    : undefined
  const name = billing === 'anthropic' ? 'anthropic' : 'openai-chat'
  const agent = wireAgents.find((each) => each.name === name) as WireAgent
  const said: object[] = [...agent.ask('Rework all modules. Never edit main.ts.')]
  const dids: string[] = []
  for (let step = 0; step < steps; step++) {
    const body = agent.body({
      model: 'bench',
      said: marked(said, billing),
      streams: false,
      tools: true,
    })
    const answer = await fetch((gateway ?? provider).url + agent.path('bench', false), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...agent.headers },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.text()
    dids.push(answer.headers.get('x-throughline-did') ?? '')
    clock += gap * 1_000
    const path = `src/module${step % 12}/file${step}.ts`
    said.push(...agent.step(drawnId(step, name), { path }, sourceOf(step)))
    if (step % 30 === 29) said.push(...agent.ask(`Go on with module ${step}.`))
  }
  await gateway?.close()
  await provider.close()
  return { receipts: provider.receipts, dids }
}

/** As Anthropic's clients mark their newest message for the cache. */
function marked(said: readonly object[], billing: Billing): object[] {
  if (billing !== 'anthropic') return [...said]
  return said.map((message, index) => {
    if (index < said.length - 1) return message
    const { content } = message as { content: unknown }
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const all = blocks as object[]
    const mark = { cache_control: { type: 'ephemeral' } }
    return {
      ...message,
      content: all.map((block, at) => (at === all.length - 1 ? { ...block, ...mark } : block)),
    }
  })
}

function sourceOf(seed: number): string {
  const line = (at: number) =>
    `  const value${at} = token("item_${seed}_${at}", ${(seed * 7 + at) % 97})\n`
  return Array.from({ length: stepBytes / 45 }, (_, at) => line(at)).join('')
}

function billOf(receipts: readonly Receipt[], prices: Prices): Bill {
  const sum = (of: (receipt: Receipt) => number) =>
    receipts.reduce((total, receipt) => total + of(receipt), 0)
  const input = sum(({ read, written, fresh }) => read + written + fresh)
  return {
    dollars: sum((receipt) => dollarsOf(receipt, prices)),
    cacheRead: sum(({ read }) => read) / input,
    requests: receipts.length,
  }
}

function dollarsOf({ read, written, fresh, output }: Receipt, prices: Prices): number {
  return costOf(
    {
      inputTokens: read + written + fresh,
      cacheReadTokens: read,
      cacheWriteTokens: written,
      outputTokens: output,
    },
    prices,
  )
}

/** What a compaction takes out of the cache: that its request would have read, had it been known. */
function missesOf({ receipts, dids }: TaskRun, prices: Prices): number {
  const agents = receipts.filter((receipt) => receipt.for === 'agent')
  const newest = stepBytes / 4
  return agents.reduce((sum, receipt, index) => {
    if (dids[index] !== 'compacted') return sum
    const missed = Math.max(receipt.written + receipt.fresh - newest, 0)
    const isWritten = receipt.written > 0
    const price = isWritten ? (prices.cacheWrite ?? prices.input * 1.25) : prices.input
    return sum + (missed * (price - (prices.cacheRead ?? prices.input * 0.1))) / 1_000_000
  }, 0)
}

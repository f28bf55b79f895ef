import { asked } from '../testing/started.ts'
import { createTally } from '../run/tally.ts'
import { drawnId, type WireAgent } from '../testing/agents.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway } from '../server/gateway.ts'
import { startProvider, type ServedRequest, type ServedAnswer } from 'throughline/testing/provider'
import { undiciUpstream } from '../upstream/undici-upstream.ts'
import {
  lines,
  openElsewhere,
  rule,
  scriptOf,
  smallWindow,
  summaryModel,
  type Fault,
  modelOn,
  questions,
  readTool,
} from '../../../throughline/src/promises/faults/for-other-packages.ts'
import type { SessionEvent, Entry } from 'throughline'
import type { Upstream } from '../upstream/upstream.ts'
import { generateText, isStepCount, streamText, type ModelMessage } from 'ai'

/** What happened to a client behind a gateway whose provider has a fault. */
export interface GatewayTrial {
  /** What the client got instead of an answer, and `finished` if it got one to each request. */
  outcome: string[]
  requests: readonly ServedRequest[]
  summaries: readonly ServedRequest[]
  events: readonly SessionEvent[]
  /** What went wrong inside. */
  problems: readonly unknown[]
  log: readonly Entry[]
  /** What the person is told at the end. */
  told: string
}

// Far longer than any answer that arrives at all takes here; a silent model is given up after it.
const patience = 300

// How many files have been read before each request. The sixth is the first that does not fit.
const filesRead = [1, 2, 3, 4, 5, 16, 17, 18]
const resumedAt = filesRead.filter((files) => files > 5)

/** Lets a client do its work behind a gateway, and try each request twice more. */
export async function gatewayTrial(
  fault: Fault,
  agent: WireAgent,
  streams: boolean,
): Promise<GatewayTrial> {
  const answering = scriptOf(fault)
  const client: Client = { giveUp: () => undefined }
  const script = (request: ServedRequest): ServedAnswer => {
    const answer = answering(request)
    if (answer.hangs && request.model !== summaryModel) setTimeout(() => client.giveUp(), patience)
    return answer
  }
  const provider = await startProvider({ script, rules: { strict: true, ...fault.rules } })
  const elsewhere = fault.elsewhere && (await openElsewhere(fault.elsewhere))
  const { url, requests } = provider
  const tally = createTally()
  const store = memoryGatewayStore()
  const events: SessionEvent[] = []
  const problems: unknown[] = []
  const gateway = await startGateway({
    upstreams: { openai: `${url}/v1`, anthropic: url, gemini: url },
    upstream: elsewhere ? summariesAt(elsewhere.url) : undiciUpstream(),
    store,
    sessions: {
      window: { context: fault.window ?? smallWindow },
      summaryModel,
      summaryTimeout: fault.summarizer?.timeout === undefined ? 90_000 : patience,
    },
    onEvent: (session, event) => {
      events.push(event)
      tally.onEvent(session, event)
    },
    onAnswered: tally.onAnswered,
    onProblem: (problem) => problems.push(problem),
  })
  const outcome: string[] = []
  let session: string | null = null
  try {
    if (fault.thinks) outcome.push(...(await thinkingClient(gateway.url, streams)))
    for (const files of sentBy(fault)) {
      const got = await answeredTo(gateway, { agent, files, streams, client }, outcome)
      if (!got) break
      session = got.session ?? session
      if (files === filesRead.at(-1)) outcome.push('finished')
    }
    const log = session === null ? [] : await store.logs.read(session, {})
    const summaries = requests.filter(({ model }) => model === summaryModel)
    return { outcome, requests, summaries, events, problems, log, told: tally.text() }
  } finally {
    await gateway.close(0)
    await provider.close()
    await elsewhere?.close()
  }
}

function sentBy({ resumed, thinks }: Fault): readonly number[] {
  if (thinks) return []
  return resumed ? resumedAt : filesRead
}

/** Gives up a request whose answer does not come. */
interface Client {
  giveUp: () => void
}

interface Sent {
  client: Client
  agent: WireAgent
  files: number
  streams: boolean
}

/** What may go better another time is tried twice more, as a client would. */
async function answeredTo(
  gateway: { url: string },
  { agent, files, streams, client }: Sent,
  outcome: string[],
): Promise<{ session: string | null } | undefined> {
  const said = [
    ...agent.ask(`Read the parts under src. ${rule}`),
    ...agent.step(drawnId(0), { path: 'src/parts.ts' }, 'All parts stand beside it.'),
    // What is said no pruning can take away: a summary is needed.
    ...Array.from({ length: files }, (_, part) => [
      ...agent.says(`Of part ${part} I know this: ${lines(`note ${part}`, 600)}`),
      ...agent.ask('Go on.'),
    ]).flat(),
  ]
  const body = agent.body({ model: 'main-model', said, streams, tools: true })
  for (let tries = 0; tries < 3; tries++) {
    const request = new AbortController()
    client.giveUp = () => request.abort()
    const answer = await asked(
      gateway,
      agent.path('main-model', streams),
      body,
      agent.headers,
      request.signal,
    ).catch(() => undefined)
    if (answer?.status === 200) return { session: answer.session }
    outcome.push(answer ? String(answer.status) : 'broken off')
  }
  return undefined
}

/** The network, in which summaries are asked for at another address. */
function summariesAt(other: string): Upstream {
  const upstream = undiciUpstream()
  return {
    ...upstream,
    send: (request) => {
      const { body, url } = request
      const isSummary =
        url.pathname.includes(summaryModel) ||
        (Buffer.isBuffer(body) && body.includes(`"model":"${summaryModel}"`))
      if (!isSummary) return upstream.send(request)
      return upstream.send({ ...request, url: new URL(`${url.pathname}${url.search}`, other) })
    },
  }
}

/** A client that gives each thought back as it came, with everything that followed it. */
async function thinkingClient(url: string, streams: boolean): Promise<string[]> {
  const messages: ModelMessage[] = []
  for (const question of questions) {
    messages.push({ role: 'user', content: question })
    const asked = {
      model: modelOn('anthropic', url, 'main-model'),
      tools: { read: readTool([]) },
      stopWhen: isStepCount(20),
      maxOutputTokens: 1_000,
      messages,
    }
    try {
      const { responseMessages } = streams ? streamText(asked) : await generateText(asked)
      messages.push(...(await responseMessages))
    } catch (error) {
      return [String(error)]
    }
  }
  return ['finished']
}

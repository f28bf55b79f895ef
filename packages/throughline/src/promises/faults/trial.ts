import { jsonSchema, tool, type Tool } from 'ai'
import { aiSdkGenerateStep, aiSdkStep, modelSummarizer } from '../../integrations/ai-sdk/index.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { assistant, human, step } from '../../testing/generate/build.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession, type Session } from '../../session/session.ts'
import { run, type RunStep } from '../../session/loop/loop.ts'
import { startProvider, type ScriptedProvider } from '../../testing/provider/index.ts'
import { StepFailedError } from '../../session/loop/step-failed-error.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { answers, fileOf, goodSummary, questions } from './task.ts'
import { arrives, type Fault } from './fault.ts'
import { modelOn, type WireName } from './wires.ts'
import { openElsewhere } from './elsewhere.ts'
import type { ServedAnswer, ServedRequest } from '../../testing/provider/index.ts'
import type { SessionEvent } from '../../session/events.ts'

/** How an agent is set up: a column of the table. */
export interface Setting {
  wire: WireName
  streams: boolean
  /** Whether the session compacts automatically, or only when told to. */
  auto: boolean
  /** Whether summaries are prepared in the background: their number then depends on timing. */
  prepares?: true
}

/** What happened to an agent. */
export interface Trial {
  /** The typed errors along the way, and `finished` if it finished. */
  outcome: string[]
  session: Session
  events: readonly SessionEvent[]
  requests: readonly ServedRequest[]
  summaries: readonly ServedRequest[]
  read: readonly string[]
}

export const smallWindow = 12_000
export const summaryModel = 'summary-model'

/** Lets an agent do its task at a provider with a fault. */
export async function trial(fault: Fault, setting: Setting): Promise<Trial> {
  const provider = await startProvider({
    script: scriptOf(fault),
    rules: { strict: true, ...fault.rules },
  })
  const elsewhere = fault.elsewhere && (await openElsewhere(fault.elsewhere))
  try {
    const summaryUrl = elsewhere?.url ?? provider.url
    return await agentAt({ ...provider, summaryUrl }, fault, setting)
  } finally {
    await elsewhere?.close()
    await provider.close()
  }
}

/** What a provider with this fault answers. */
export function scriptOf({
  agent,
  summary,
  thinks,
}: Fault): (request: ServedRequest) => ServedAnswer {
  let position = 0
  let agents = 0
  let summaries = 0
  let afterSummary = false
  return (request) => {
    if (request.model === summaryModel) {
      afterSummary = true
      const call = { request, number: ++summaries, afterSummary, answer: { text: goodSummary } }
      return summary?.(call) ?? call.answer
    }
    const planned = answers[position] ?? { text: 'There is nothing more to do.' }
    const answer = { ...planned, ...(thinks && { reasoning: `Now ${planned.text}` }) }
    const given = agent?.({ request, number: ++agents, afterSummary, answer }) ?? answer
    if (arrives(given)) {
      afterSummary = false
      // One that ran into its limit is said again.
      if (given.finish !== 'length') position += 1
    }
    return given
  }
}

async function agentAt(
  provider: ScriptedProvider & { summaryUrl: string },
  fault: Fault,
  { wire, streams, auto, prepares }: Setting,
): Promise<Trial> {
  const events: SessionEvent[] = []
  const read: string[] = []
  let clock = 0
  const settings = { maxOutputTokens: 1_000, ...withoutStore }
  const session = await openSession({
    store: memoryStore(),
    id: 'agent',
    model: 'main-model',
    window: { context: fault.window ?? smallWindow },
    policy: { ...defaultPolicy, auto, ...(prepares ? {} : unprepared) },
    system: 'You are an agent that reads files.',
    summarizer: modelSummarizer(modelOn(wire, provider.summaryUrl, summaryModel), {
      ...withoutStore,
      window: { context: 64_000 },
      ...fault.summarizer,
    }),
    now: () => ++clock,
    onEvent: (event) => events.push(event),
  })
  const stepOf = streams ? aiSdkStep : aiSdkGenerateStep
  const runStep = stepOf({
    ...settings,
    model: modelOn(wire, provider.url, 'main-model'),
    tools: { read: readTool(read) },
    ...fault.step,
  })
  if (fault.resumed) await resume(session)
  const outcome = await taskOf(session, runStep)
  const { requests } = provider
  const summaries = requests.filter(({ model }) => model === summaryModel)
  return { outcome, session, events, requests, summaries, read }
}

export const unprepared = { prepareAt: (usable: number): number => usable }

export const withoutStore = { providerOptions: { openai: { store: false } } }

export function readTool(read: string[]): Tool<{ path: string }, string> {
  return tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
    execute: async ({ path }) => {
      read.push(path)
      return fileOf(path)
    },
  })
}

/** A long conversation from before. */
async function resume(session: Session): Promise<void> {
  for (let turn = 1; turn <= 10; turn++) {
    const path = `src/old-${turn}.ts`
    await session.append(
      human(`Look at ${path}.`),
      ...step(`old-${turn}`, 'read', { path }, fileOf(path)),
      assistant(`${path} is fine.`),
    )
  }
}

/** Both turns, as a host would run them: with manual compaction, it compacts between them. */
async function taskOf(session: Session, runStep: RunStep): Promise<string[]> {
  const outcome: string[] = []
  for (const [turn, question] of questions.entries()) {
    if (turn > 0 && !session.policy.auto) await session.compact()
    await session.say(question)
    if (!(await turnOf(session, runStep, outcome))) return outcome
  }
  return [...outcome, 'finished']
}

/** Runs a turn to its end; errors that may go away are retried twice. */
async function turnOf(session: Session, runStep: RunStep, outcome: string[]): Promise<boolean> {
  for (let again = 2; ; again -= 1) {
    try {
      const { reason } = await run({ session, step: runStep, maxSteps: 40 })
      if (reason === 'finished') return true
      outcome.push(reason)
      if (again === 0 || reason !== 'length') return false
      await session.say('You were cut off: say it again, shorter.')
    } catch (error) {
      if (!ThroughlineError.isInstance(error)) throw error
      outcome.push(error.code)
      if (again === 0 || !(await mayGoOn(session, error))) return false
    }
  }
}

/** What a host does about an error, following its message. */
async function mayGoOn(session: Session, error: ThroughlineError): Promise<boolean> {
  if (error instanceof StepFailedError) return error.retryable
  if (error.code !== 'OVERFLOW' || session.policy.auto) return false
  await session.compact()
  return true
}

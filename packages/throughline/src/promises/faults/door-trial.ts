import { defaultPolicy } from '../../compaction/policy.ts'
import { doors, type DoorName } from './door-hosts.ts'
import type { Host } from './door.ts'
import { memoryStore } from '../../stores/memory.ts'
import { modelOn, type WireName } from './wires.ts'
import { modelSummarizer } from '../../integrations/ai-sdk/index.ts'
import { openElsewhere } from './elsewhere.ts'
import { openSession } from '../../session/session.ts'
import { questions } from './task.ts'
import { scriptOf, smallWindow, summaryModel, unprepared, withoutStore } from './trial.ts'
import { startProvider } from '../../testing/provider/index.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import type { Fault } from './fault.ts'
import type { SessionEvent } from '../../session/events.ts'
import type { Trial } from './trial.ts'

export const wireOf: Readonly<Record<DoorName, WireName>> = {
  aiSdkCompaction: 'anthropic',
  openConversation: 'anthropic',
  openChat: 'chat',
  openResponses: 'responses',
  compactionMiddleware: 'chat',
  agentsCompaction: 'responses',
  googleCompaction: 'gemini',
  mastraCompaction: 'chat',
  llamaindexCompaction: 'chat',
}

/** Lets an agent behind another door than `run` do its task at a provider with a fault. */
export async function doorTrial(fault: Fault, door: DoorName): Promise<Trial> {
  const provider = await startProvider({
    script: scriptOf(fault),
    rules: { strict: true, ...fault.rules },
  })
  const elsewhere = fault.elsewhere && (await openElsewhere(fault.elsewhere))
  const { url, requests } = provider
  const events: SessionEvent[] = []
  const read: string[] = []
  let clock = 0
  const options = {
    store: memoryStore(),
    id: 'agent',
    model: 'main-model',
    window: { context: fault.window ?? smallWindow },
    policy: { ...defaultPolicy, ...unprepared },
    summarizer: modelSummarizer(modelOn(wireOf[door], elsewhere?.url ?? url, summaryModel), {
      ...withoutStore,
      window: { context: 64_000 },
      ...fault.summarizer,
    }),
    now: () => ++clock,
    onEvent: (event: SessionEvent) => void events.push(event),
  }
  try {
    const host = await doors[door]({ url, options, read })
    const outcome = await taskOf(host)
    const session = await openSession(options)
    const summaries = requests.filter(({ model }) => model === summaryModel)
    return { outcome, session, events, requests, summaries, read }
  } finally {
    await elsewhere?.close()
    await provider.close()
  }
}

async function taskOf(host: Host): Promise<string[]> {
  const outcome: string[] = []
  for (const question of questions) {
    host.say(question)
    if (!(await turnOf(host, outcome))) return outcome
  }
  return [...outcome, 'finished']
}

/** What may go better another time is tried twice more, as a host would. */
async function turnOf(host: Host, outcome: string[]): Promise<boolean> {
  for (let again = 2; ; again -= 1) {
    try {
      const finish = await host.turn()
      if (finish !== 'length') return true
      outcome.push('length')
      if (again === 0) return false
      host.say('You were cut off: say it again, shorter.')
    } catch (error) {
      outcome.push(nameOf(error))
      if (again === 0 || ThroughlineError.isInstance(error)) return false
    }
  }
}

/** Our own errors have a code; those of an SDK come as they were thrown. */
function nameOf(error: unknown): string {
  if (ThroughlineError.isInstance(error)) return error.code
  const { cause } = error as Error
  if (ThroughlineError.isInstance(cause)) return cause.code
  return error instanceof Error ? error.constructor.name : String(error)
}

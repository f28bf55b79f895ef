import { createReadStream as readFrom } from 'node:fs'
import {
  compactMessages,
  continuationMark,
  defaultPolicy,
  memoryStore,
  openSession,
  run,
  type Message,
  type RunStep,
  type Session,
  type Summarizer,
} from 'throughline'
import { evaluate, measuredSession, throughline } from 'throughline/evaluation'
import { readSession } from 'throughline/formats'
import { sqliteStore as storeIn } from 'throughline/sqlite'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'

// The lines of the other pages that no example has.

/** What a task says before any of it is done. */
export async function ownTask(): Promise<string[]> {
  // docs: begin
  const task = await startTask()
  const provider = await startProvider({ script: task.script, rules: { window: task.window } })
  // … an agent with task.system, task.request and task.tools, over provider.url …
  await task.problems() // [] if everything is as the human asked
  await task.end()
  await provider.close()
  // docs: end
  return [typeof task.request, provider.url]
}

/** Prints how much of what comes later a compacted context still has. */
export async function evaluated(file: string): Promise<number> {
  const createReadStream = (_name: string) => readFrom(file)
  return measured()

  async function measured(): Promise<number> {
    // docs: begin
    const read = await readSession(createReadStream('session.jsonl'))
    const session = measuredSession('session', read)
    const { atCuts } = await evaluate(session, { compactor: throughline, keep: 8_000 })
    console.log(atCuts.forwardNeed.mean)
    // docs: end
    return atCuts.forwardNeed.mean ?? 0
  }
}

/** A session whose summary is made in the background. */
export async function prepared(step: RunStep, summarizer: Summarizer): Promise<Session> {
  const store = memoryStore()
  const id = 'my-agent'
  const window = { context: 32_000 }
  // docs: begin
  const session = await openSession({ store, id, window, summarizer })
  await session.say('Fix the failing test.')
  await run({ session, step })
  await session.close()
  // docs: end
  return session
}

export async function shorterMessages(messages: Message[]): Promise<Message[]> {
  // docs: begin
  const { messages: shorter } = await compactMessages(messages, { window: { context: 200_000 } })
  // docs: end
  return shorter
}

export function neverPrepared(): number {
  // docs: begin
  const policy = { ...defaultPolicy, prepareAt: (usable: number) => usable }
  // docs: end
  return policy.prepareAt(180_000)
}

/** What a user is shown of the messages that a model is sent. */
export function withoutContinuations(messages: readonly Message[]): Message[] {
  // docs: begin
  const shown = messages.filter((message) => !continuationMark(message)?.alone)
  // docs: end
  return shown
}

export async function inFile(file: string): Promise<string> {
  const sqliteStore = (_options: { file: string }) => storeIn({ file })
  // docs: begin
  const store = sqliteStore({ file: 'sessions.db' })
  const session = await openSession({ store, id: 'my-agent', window: { context: 200_000 } })
  // …
  store.close()
  // docs: end
  return session.id
}

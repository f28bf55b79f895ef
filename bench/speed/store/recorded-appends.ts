import { memoryStore, openSession, run } from 'throughline'
import { requestOf, stepOf, stepsOfTurn } from './agent.ts'
import { drawsOf } from './text.ts'
import type { EntryDraft, RunStep, Session, Store } from 'throughline'

/** The window of the session: it is compacted every few hundred steps. */
export const window = { context: 200_000 }

/**
 * What an agent's session appends, append by append: written by the session and its loop, including
 * its checkpoints and everything it learns about its model.
 */
export async function recordedAppends(entries: number): Promise<EntryDraft[][]> {
  const appends: EntryDraft[][] = []
  const store = recording(memoryStore(), (drafts) => appends.push([...drafts]))
  const now = (): number => appends.length
  const session = await openSession({ store, id: 'recorded', window, now })
  for (let turn = 0; session.context().seq < entries; turn++) {
    await session.say(requestOf(turn))
    await run({ session, step: scripted(session, turn * stepsOfTurn), maxSteps: stepsOfTurn })
  }
  return appends
}

function scripted(session: Session, first: number): RunStep {
  let step = first
  return async () => {
    const messages = stepOf(step)
    // A provider counts a little more than we do, and never exactly the same.
    const inputTokens = Math.round(session.estimate() * (1.08 + drawsOf(step)() * 0.04))
    step += 1
    return { messages, finish: 'tool-calls', usage: { inputTokens, outputTokens: 300 } }
  }
}

function recording(store: Store, record: (drafts: readonly EntryDraft[]) => unknown): Store {
  return {
    ...store,
    append(session, drafts, condition) {
      record(drafts)
      return store.append(session, drafts, condition)
    },
  }
}

import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, tool, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { aiSdkStep } from '../../integrations/ai-sdk/index.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openSession, type SessionOptions } from '../../session/session.ts'
import { run } from '../../session/loop/loop.ts'
import { startProvider } from '../provider/scripted-provider.ts'
import { startTask } from './start-task.ts'
import type { SessionEvent } from '../../session/events.ts'

/** The task on the project's own loop, over a real provider package. */
async function done(options: Partial<SessionOptions> = {}) {
  const task = await startTask()
  const provider = await startProvider({
    script: task.script,
    rules: { window: task.window, strict: true },
  })
  try {
    const events: SessionEvent[] = []
    const session = await openSession({
      store: memoryStore(),
      id: 'task',
      window: { context: task.window },
      system: task.system,
      onEvent: (event) => events.push(event),
      ...options,
    })
    await session.say(task.request)
    const model = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' }).chat('scripted')
    const tools: ToolSet = Object.fromEntries(
      task.tools.map(({ name, description, inputSchema, execute }) => [
        name,
        tool({ description, inputSchema: jsonSchema(inputSchema), execute }),
      ]),
    )
    const { steps } = await run({ session, step: aiSdkStep({ model, tools }), maxSteps: 1_000 })
    const size =
      session.counter.ratio *
      (await session.log()).reduce(
        (sum, entry) =>
          sum + (entry.kind === 'message' ? session.counter.message(entry.message) : 0),
        0,
      )
    const compactions = events.filter(({ type }) => type === 'compaction-finished').length
    return { steps, size, compactions, problems: await task.problems(), task, provider }
  } finally {
    await provider.close()
    await task.end()
  }
}

test('the task is ten windows long, takes its steps, and is done as the human asked', async () => {
  const { steps, size, compactions, problems, task } = await done()
  expect(problems).toEqual([])
  expect(steps).toBeGreaterThanOrEqual(task.steps)
  expect(size).toBeGreaterThan(task.window * 10)
  expect(compactions).toBeGreaterThan(5)
})

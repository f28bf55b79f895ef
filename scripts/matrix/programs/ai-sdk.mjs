// An agent of the AI SDK, 6 or 7, over its own loop and over ours.
import * as ai from 'ai'
import { createOpenAI } from '@ai-sdk/openai'
import { memoryStore, openSession, run } from 'throughline'
import { aiSdkCompaction, aiSdkGenerateStep, aiSdkStep } from 'throughline/ai-sdk'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'

const { jsonSchema, tool, ToolLoopAgent } = ai
const isStepCount = ai.isStepCount ?? ai.stepCountIs

async function done(way) {
  const task = await startTask({ files: 12 })
  const { script, window, system } = task
  const provider = await startProvider({ script, rules: { window, strict: true } })
  try {
    const openai = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' })
    const tools = Object.fromEntries(
      task.tools.map(({ name, inputSchema, ...others }) => [
        name,
        tool({ ...others, inputSchema: jsonSchema(inputSchema) }),
      ]),
    )
    const options = { store: memoryStore(), id: 'a', window: { context: window }, system }
    const session = await way({ task, tools, options, languageModel: openai.chat('scripted') })
    const rewinds = (await session.log()).filter(({ kind }) => kind === 'rewind')
    const refused = provider.requests.filter((request) => request.refused)
    const problems = await task.problems()
    if (problems.length + rewinds.length + refused.length > 0) {
      throw new Error(`${problems.length} problems, ${rewinds.length} rewinds: ${problems[0]}`)
    }
    return provider.requests.length
  } finally {
    await provider.close()
    await task.end()
  }
}

async function ownLoop({ task, tools, options, languageModel }) {
  const compaction = aiSdkCompaction({ ...options, model: languageModel })
  const { model, prepareStep, onStepEnd } = compaction
  const agent = new ToolLoopAgent({
    model,
    prepareStep,
    onStepEnd,
    ...(ai.isStepCount ? {} : { onStepFinish: onStepEnd }),
    tools,
    instructions: task.system,
    stopWhen: isStepCount(1_000),
  })
  await agent.generate({ prompt: task.request })
  return compaction.session()
}

const ours =
  (step) =>
  async ({ task, tools, options, languageModel }) => {
    const session = await openSession(options)
    await session.say(task.request)
    await run({ session, step: step({ model: languageModel, tools }), maxSteps: 1_000 })
    return session
  }

let steps = 0
for (const way of [ownLoop, ours(aiSdkStep), ours(aiSdkGenerateStep)]) steps += await done(way)
console.log(`${steps} steps`)

import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, jsonSchema, tool, ToolLoopAgent, type ToolSet } from 'ai'
import { memoryStore, type Session, type Store, type Window } from 'throughline'
import { aiSdkCompaction, type AiSdkCompactionOptions } from 'throughline/ai-sdk'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import { told } from './told.ts'

/** What the agent in the docs consists of. */
export interface Agent {
  languageModel: AiSdkCompactionOptions['model']
  window: Window
  store: Store
  tools: ToolSet
  instructions: string
}

/** The lines in the docs, as a function of an agent and its prompt. */
export async function answer(
  { languageModel, window, store, tools, instructions }: Agent,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  const stopWhen = isStepCount(1_000)
  // readme: begin
  const { model, prepareStep, onStepEnd, session } = aiSdkCompaction({
    model: languageModel, // such as openai('gpt-5')
    window, // such as { context: 200_000 }; not needed for well-known models
    store,
    id: 'my-agent',
  })
  const compaction = { model, prepareStep, onStepEnd }
  const agent = new ToolLoopAgent({ ...compaction, tools, instructions, stopWhen })
  const { text } = await agent.generate({ prompt })
  // readme: end
  return { text, session: await session() }
}

/** A task of ten windows, done by an SDK agent with a provider on this machine. */
export async function doTask(): Promise<{ text: string; session: Session; problems: string[] }> {
  const task = await startTask()
  const { window, script } = task
  const provider = await startProvider({ script, rules: { window, strict: true } })
  try {
    const openai = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' })
    const agent: Agent = {
      languageModel: openai.chat('scripted'),
      window: { context: window },
      store: memoryStore(),
      tools: Object.fromEntries(
        task.tools.map(({ name, inputSchema, ...others }) => [
          name,
          tool({ ...others, inputSchema: jsonSchema(inputSchema) }),
        ]),
      ),
      instructions: task.system,
    }
    return { ...(await answer(agent, task.request)), problems: await task.problems() }
  } finally {
    await provider.close()
    await task.end()
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(await told('An AI SDK agent', await doTask()))

import { Agent } from '@mastra/core/agent'
import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, tool } from 'ai'
import { memoryStore, type Session, type Store, type Window } from 'throughline'
import { mastraCompaction } from 'throughline/mastra'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import { told } from './told.ts'

type AgentConfig = ConstructorParameters<typeof Agent>[0]

/** What the page's agent consists of. */
export interface AgentParts {
  model: AgentConfig['model']
  window: Window
  store: Store
  tools: NonNullable<AgentConfig['tools']>
  instructions: string
}

/** The lines in docs/frameworks.md, as a function of an agent and its prompt. */
export async function answer(
  { model, window, store, tools, instructions }: AgentParts,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  const settings = { id: 'coder', name: 'Coder', model, tools, instructions }
  // docs: begin
  const compaction = mastraCompaction({ window, store, id: () => 'my-agent' }) // or its thread's id
  const agent = new Agent({
    ...settings,
    inputProcessors: [compaction], // last in the list
    errorProcessors: [compaction],
  })
  const { steps } = await agent.generate(prompt, { maxSteps: 1_000 })
  const session = await compaction.session('my-agent') // the full history
  // docs: end
  return { text: steps.at(-1)?.text ?? '', session }
}

/** A task of ten windows (with 100 files), done by an agent with a provider on this machine. */
export async function doTask(
  files = 100,
): Promise<{ text: string; session: Session; problems: string[] }> {
  const task = await startTask({ files })
  const { window, script } = task
  const provider = await startProvider({ script, rules: { window, strict: true } })
  try {
    const openai = createOpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' })
    const agent: AgentParts = {
      model: openai.chat('scripted') as AgentParts['model'],
      window: { context: window },
      store: memoryStore(),
      tools: Object.fromEntries(
        task.tools.map(({ name, inputSchema, ...others }) => [
          name,
          tool({ ...others, inputSchema: jsonSchema(inputSchema) }),
        ]),
      ) as AgentParts['tools'],
      instructions: task.system,
    }
    return { ...(await answer(agent, task.request)), problems: await task.problems() }
  } finally {
    await provider.close()
    await task.end()
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(await told('A Mastra agent', await doTask()))

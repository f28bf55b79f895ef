import OpenAI from 'openai'
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { memoryStore, type Session, type Store, type Window } from 'throughline'
import { agentsCompaction } from 'throughline/openai-agents'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import type { ModelProvider, Tool } from '@openai/agents'
import { told } from './told.ts'

/** What the page's agent consists of. */
export interface AgentParts {
  models: ModelProvider
  model: string
  window: Window
  store: Store
  tools: Tool[]
  instructions: string
}

/** The lines in docs/frameworks.md, as a function of an agent and its prompt. */
export async function answer(
  { models, model, window, store, tools, instructions }: AgentParts,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  // docs: begin
  const compaction = agentsCompaction({ store, id: 'my-agent', window })
  const { session, callModelInputFilter } = compaction // instead of OpenAIResponsesCompactionSession
  const agent = new Agent({ name: 'Coder', instructions, model, tools })
  const runner = new Runner({ modelProvider: compaction.modelProvider(models) })
  const options = { session, callModelInputFilter, maxTurns: 1_000 }
  const { finalOutput } = await runner.run(agent, prompt, options)
  // docs: end
  return { text: String(finalOutput), session: await compaction.log() }
}

/** A task of ten windows (with 100 files), done by an agent with a provider on this machine. */
export async function doTask(
  files = 100,
): Promise<{ text: string; session: Session; problems: string[] }> {
  setTracingDisabled(true)
  const task = await startTask({ files })
  const { window, script } = task
  const provider = await startProvider({ script, rules: { window, strict: true } })
  try {
    const openAIClient = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' })
    const agent: AgentParts = {
      models: new OpenAIProvider({ openAIClient: openAIClient as never, useResponses: true }),
      model: 'scripted',
      window: { context: window },
      store: memoryStore(),
      tools: task.tools.map(({ name, description, inputSchema, execute }) =>
        tool({ name, description, parameters: inputSchema as never, strict: true, execute }),
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
  console.log(await told('An agent of the OpenAI Agents SDK', await doTask()))

import { agent } from '@llamaindex/workflow'
import { ChatModel } from './llamaindex-model.ts'
import { memoryStore, type Session, type Store, type Window } from 'throughline'
import { llamaindexCompaction } from 'throughline/llamaindex'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import { tool } from '@llamaindex/core/tools'
import { told } from './told.ts'

type Tools = Parameters<typeof agent>[0]['tools']

/** What the page's agent consists of. */
export interface Agent {
  model: ChatModel
  window: Window
  store: Store
  tools: NonNullable<Tools>
  systemPrompt: string
}

/** The lines in docs/frameworks.md, as a function of an agent and its prompt. */
export async function answer(
  { model, window, store, tools, systemPrompt }: Agent,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  // docs: begin
  const { memory, llm, session } = llamaindexCompaction({ store, id: 'my-agent', window })
  const coder = agent({ llm: llm(model), memory, tools, systemPrompt })
  const { data } = await coder.run(prompt)
  // docs: end
  return { text: String(data.result), session: await session() }
}

/** A task of ten windows (with 100 files), done by an agent with a provider on this machine. */
export async function doTask(
  files = 100,
): Promise<{ text: string; session: Session; problems: string[] }> {
  const task = await startTask({ files })
  const { window, script } = task
  const provider = await startProvider({ script, rules: { window, strict: true } })
  try {
    const parts: Agent = {
      model: new ChatModel({ baseURL: `${provider.url}/v1`, model: 'scripted', window }),
      window: { context: window },
      store: memoryStore(),
      tools: task.tools.map(({ name, description, inputSchema: parameters, execute }) =>
        tool({ name, description, parameters, execute }),
      ),
      systemPrompt: task.system,
    }
    return { ...(await answer(parts, task.request)), problems: await task.problems() }
  } finally {
    await provider.close()
    await task.end()
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(await told('A LlamaIndex agent', await doTask()))

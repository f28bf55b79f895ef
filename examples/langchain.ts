import { AIMessage, createAgent, HumanMessage, tool } from 'langchain'
import { MemorySaver } from '@langchain/langgraph'
import { memoryStore, openSession, type Session, type Store, type Window } from 'throughline'
import { compactionMiddleware } from 'throughline/langchain'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import { OpenAIChatModel } from './openai-chat-model.ts'
import { told } from './told.ts'

type AgentOptions = Parameters<typeof createAgent>[0]

/** What the agent in the docs consists of. */
export interface Agent {
  model: NonNullable<AgentOptions['model']>
  window: Window
  store: Store
  tools: NonNullable<AgentOptions['tools']>
  systemPrompt: string
}

/** The lines in the docs, as a function of an agent and its prompt. */
export async function answer(
  { model, window, store, tools, systemPrompt }: Agent,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  // readme: begin
  const middleware = [compactionMiddleware({ window, store })] // instead of summarizationMiddleware
  const checkpointer = new MemorySaver()
  const agent = createAgent({ model, tools, systemPrompt, checkpointer, middleware })
  const thread = { configurable: { thread_id: 'my-agent' }, recursionLimit: 10_000 }
  const { messages } = await agent.invoke({ messages: [new HumanMessage(prompt)] }, thread)
  const session = await openSession({ store, id: 'my-agent', window }) // the full history
  // readme: end
  return { text: messages.findLast(AIMessage.isInstance)?.text ?? '', session }
}

/** A task of ten windows (with 100 files), done by an agent with a provider on this machine. */
export async function doTask(
  files = 100,
): Promise<{ text: string; session: Session; problems: string[] }> {
  const task = await startTask({ files })
  const { window, script } = task
  const provider = await startProvider({ script, rules: { window, strict: true } })
  try {
    const agent: Agent = {
      model: new OpenAIChatModel({ baseURL: `${provider.url}/v1`, model: 'scripted' }),
      window: { context: window },
      store: memoryStore(),
      tools: task.tools.map(({ name, description, inputSchema: schema, execute }) =>
        tool(execute, { name, description, schema }),
      ),
      systemPrompt: task.system,
    }
    return { ...(await answer(agent, task.request)), problems: await task.problems() }
  } finally {
    await provider.close()
    await task.end()
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(await told('A LangChain agent', await doTask()))

import Anthropic from '@anthropic-ai/sdk'
import { memoryStore, type Session, type Store, type Window } from 'throughline'
import { openConversation } from 'throughline/anthropic'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import { told } from './told.ts'

type MessageParam = Anthropic.MessageParam

/** What the agent in the docs consists of. */
export interface Agent {
  client: Anthropic
  model: string
  window: Window
  store: Store
  tools: Anthropic.Tool[]
  system: string
  /** Runs the calls of an answer, if any. */
  runTools: (response: Anthropic.Message) => Promise<Anthropic.ToolResultBlockParam[]>
}

/** The lines in the docs, as a function of an agent and its prompt. */
export async function answer(
  { client, model, window, store, tools, system, runTools }: Agent,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  // readme: begin
  const options = { store, id: 'my-agent', window, model, system, tools }
  const conversation = await openConversation<MessageParam>(options)
  let messages: MessageParam[] = [{ role: 'user', content: prompt }]
  for (;;) {
    const request = { model, system, tools, max_tokens: 4_000 }
    const { response, messages: all } = await conversation.send(messages, (messages) =>
      client.messages.create({ ...request, messages }),
    )
    const results = await runTools(response)
    if (results.length === 0) return done(response)
    messages = [...all, { role: 'user', content: results }] // the messages that fit, plus the new ones
  }
  // readme: end

  function done({ content }: Anthropic.Message): { text: string; session: Session } {
    const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    return { text: texts.join('\n'), session: conversation.session }
  }
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
      client: new Anthropic({ baseURL: provider.url, apiKey: 'none' }),
      model: 'scripted',
      window: { context: window },
      store: memoryStore(),
      tools: task.tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
      system: task.system,
      runTools: async ({ content }) =>
        Promise.all(
          content
            .filter((block) => block.type === 'tool_use')
            .map(async ({ id, name, input }) => ({
              type: 'tool_result',
              tool_use_id: id,
              content: (await task.tools.find((tool) => tool.name === name)?.execute(input)) ?? '',
            })),
        ),
    }
    return { ...(await answer(agent, task.request)), problems: await task.problems() }
  } finally {
    await provider.close()
    await task.end()
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(await told('A loop over the Anthropic SDK', await doTask()))

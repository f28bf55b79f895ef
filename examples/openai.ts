import OpenAI from 'openai'
import { memoryStore, type Session, type Store, type Window } from 'throughline'
import { openResponses } from 'throughline/openai'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import { told } from './told.ts'

type Responses = OpenAI.Responses.Response
type Item = OpenAI.Responses.ResponseInputItem

/** What the agent in the docs consists of. */
export interface Agent {
  client: OpenAI
  model: string
  window: Window
  store: Store
  tools: OpenAI.Responses.Tool[]
  instructions: string
  /** Runs the calls of a response, if any. */
  runTools: (response: Responses) => Promise<Item[]>
}

/** The lines in the docs, as a function of an agent and its prompt. */
export async function answer(
  { client, model, window, store, tools, instructions, runTools }: Agent,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  // readme: begin
  const options = { store, id: 'my-agent', window, model, system: instructions, tools }
  const conversation = await openResponses<Item>(options)
  let input: Item[] = [{ type: 'message', role: 'user', content: prompt }]
  for (;;) {
    const request = { model, instructions, tools, store: false }
    const { response, messages: all } = await conversation.send(input, (input) =>
      client.responses.create({ ...request, input }),
    )
    const outputs = await runTools(response)
    if (outputs.length === 0) return done(response)
    input = [...all, ...outputs] // the messages that fit, plus the new ones
  }
  // readme: end

  function done(response: Responses): { text: string; session: Session } {
    return { text: response.output_text, session: conversation.session }
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
      client: new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none' }),
      model: 'scripted',
      window: { context: window },
      store: memoryStore(),
      tools: task.tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: { ...inputSchema },
        strict: false,
      })),
      instructions: task.system,
      runTools: async ({ output }) =>
        Promise.all(
          output
            .filter((item) => item.type === 'function_call')
            .map(async (call): Promise<Item> => {
              const tool = task.tools.find(({ name }) => name === call.name)
              return {
                type: 'function_call_output',
                call_id: call.call_id,
                output: (await tool?.execute(JSON.parse(call.arguments))) ?? '',
              }
            }),
        ),
    }
    return { ...(await answer(agent, task.request)), problems: await task.problems() }
  } finally {
    await provider.close()
    await task.end()
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(await told('A loop over the OpenAI SDK', await doTask()))

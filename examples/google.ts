import { GoogleGenAI, type Content, type Tool } from '@google/genai'
import { memoryStore, type Session, type Store, type Window } from 'throughline'
import { googleCompaction } from 'throughline/google'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import type { GenerateContentResponse } from '@google/genai'
import { told } from './told.ts'

/** What the page's agent consists of. */
export interface Agent {
  ai: GoogleGenAI
  model: string
  window: Window
  store: Store
  tools: Tool[]
  systemInstruction: string
  /** Runs the calls of a response, if any. */
  runTools: (response: GenerateContentResponse) => Promise<Content[]>
}

/** The lines in docs/frameworks.md, as a function of an agent and its prompt. */
export async function answer(
  { ai, model, window, store, tools, systemInstruction, runTools }: Agent,
  prompt: string,
): Promise<{ text: string; session: Session }> {
  // docs: begin
  const { models, session } = googleCompaction(ai, { store, id: 'my-agent', window, model })
  const contents: Content[] = [{ role: 'user', parts: [{ text: prompt }] }]
  for (;;) {
    const config = { tools, systemInstruction }
    const response = await models.generateContent({ model, contents, config })
    const results = await runTools(response)
    const said = response.candidates?.[0]?.content
    if (!said || results.length === 0) return done(response)
    contents.push(said, ...results) // the full history: what is sent always fits
  }
  // docs: end

  async function done({ text }: GenerateContentResponse) {
    return { text: text ?? '', session: await session() }
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
      ai: new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: provider.url } }),
      model: 'scripted',
      window: { context: window },
      store: memoryStore(),
      tools: [
        {
          functionDeclarations: task.tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            parametersJsonSchema: inputSchema,
          })),
        },
      ],
      systemInstruction: task.system,
      runTools: async ({ functionCalls = [] }) => {
        const parts = await Promise.all(
          functionCalls.map(async ({ id, name = '', args }) => {
            const tool = task.tools.find((one) => one.name === name)
            const response = { output: (await tool?.execute(args)) ?? '' }
            return { functionResponse: { ...(id !== undefined && { id }), name, response } }
          }),
        )
        return parts.length === 0 ? [] : [{ role: 'user', parts }]
      },
    }
    return { ...(await answer(agent, task.request)), problems: await task.problems() }
  } finally {
    await provider.close()
    await task.end()
  }
}

if (process.argv[1] === import.meta.filename)
  console.log(await told('A loop over the Google Gen AI SDK', await doTask()))

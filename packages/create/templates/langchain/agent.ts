import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, HumanMessage, tool } from 'langchain'
import { compactionMiddleware } from 'throughline/langchain'
import { sqliteStore } from 'throughline/sqlite'
import { z } from 'zod'

const {
  OPENAI_API_KEY = 'none',
  OPENAI_BASE_URL,
  MODEL = 'gpt-5.4',
  CONTEXT = '200000',
} = process.env
const request = process.argv.slice(2).join(' ')
if (request === '') throw new Error('Say what to do: npm start "What is in this folder?"')

const model = new ChatOpenAI({
  model: MODEL,
  apiKey: OPENAI_API_KEY,
  ...(OPENAI_BASE_URL !== undefined && { configuration: { baseURL: OPENAI_BASE_URL } }),
})

const tools = [
  tool(async ({ folder }) => (await readdir(folder)).join('\n'), {
    name: 'list_files',
    description: 'Lists the files of a folder.',
    schema: z.object({ folder: z.string() }),
  }),
  tool(({ path }) => readFile(path, 'utf8'), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
  }),
]

const store = sqliteStore({ file: 'sessions.db' })
const agent = createAgent({
  model,
  tools,
  systemPrompt: 'You are a careful assistant. Answer in a few words.',
  // With a checkpointer that writes to a database, a thread goes on in another process.
  checkpointer: new MemorySaver(),
  middleware: [compactionMiddleware({ window: { context: Number(CONTEXT) }, store })],
})
const thread = { configurable: { thread_id: randomUUID() }, recursionLimit: 10_000 }
const { messages } = await agent.invoke({ messages: [new HumanMessage(request)] }, thread)
console.log(messages.at(-1)?.text)
await store.close()

import { readdir, readFile } from 'node:fs/promises'
import { createOpenAI } from '@ai-sdk/openai'
import { tool } from 'ai'
import { openSession, run } from 'throughline'
import { aiSdkStep, toolSchemas } from 'throughline/ai-sdk'
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

const openai = createOpenAI({
  apiKey: OPENAI_API_KEY,
  ...(OPENAI_BASE_URL !== undefined && { baseURL: OPENAI_BASE_URL }),
})

const tools = {
  list_files: tool({
    description: 'Lists the files of a folder.',
    inputSchema: z.object({ folder: z.string() }),
    execute: async ({ folder }) => (await readdir(folder)).join('\n'),
  }),
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => readFile(path, 'utf8'),
  }),
}

const store = sqliteStore({ file: 'sessions.db' })
const session = await openSession({
  store,
  id: 'agent',
  window: { context: Number(CONTEXT) },
  system: 'You are a careful assistant. Answer in a few words.',
  tools: await toolSchemas(tools),
})
await session.say(request)
await run({ session, step: aiSdkStep({ model: openai.chat(MODEL), tools }) })

const answer = (await session.history()).at(-1)?.message
console.log(textOf(answer?.content))
await session.close()
await store.close()

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content)
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

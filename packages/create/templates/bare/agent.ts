import { readdir, readFile } from 'node:fs/promises'
import { openChat } from 'throughline/openai'
import { sqliteStore } from 'throughline/sqlite'

const { OPENAI_API_KEY = 'none', MODEL = 'gpt-5.4', CONTEXT = '200000' } = process.env
const { OPENAI_BASE_URL = 'https://api.openai.com/v1' } = process.env
const request = process.argv.slice(2).join(' ')
if (request === '') throw new Error('Say what to do: npm start "What is in this folder?"')

const functions: Record<string, (input: Record<string, string>) => Promise<string>> = {
  list_files: async ({ folder = '.' }) => (await readdir(folder)).join('\n'),
  read_file: ({ path = '' }) => readFile(path, 'utf8'),
}
const tools = [
  schema('list_files', 'Lists the files of a folder.', 'folder'),
  schema('read_file', 'Reads a file.', 'path'),
]

const store = sqliteStore({ file: 'sessions.db' })
const window = { context: Number(CONTEXT) }
const conversation = await openChat<Message>({ store, id: 'agent', window, model: MODEL, tools })
const system = {
  role: 'system' as const,
  content: 'You are a careful assistant. Answer in a few words.',
}

// What was said in earlier runs, or nothing.
const known = await conversation.messages()
let messages: Message[] = [
  ...(known.length > 0 ? known : [system]),
  { role: 'user', content: request },
]
for (;;) {
  const { response, messages: all } = await conversation.send(messages, ask)
  const { content, tool_calls: calls = [] } = response.choices[0].message
  if (calls.length === 0) {
    console.log(content)
    break
  }
  messages = [...all, ...(await Promise.all(calls.map(resultOf)))]
}
await conversation.session.close()
await store.close()

async function ask(messages: Message[]): Promise<Answer> {
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages, tools }),
  })
  // Throughline knows the words in which providers say that a request is too long.
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

async function resultOf({ id, function: { name, arguments: input } }: Call): Promise<Message> {
  try {
    const run = functions[name]
    const content = run ? await run(JSON.parse(input)) : `There is no tool ${name}.`
    return { role: 'tool', tool_call_id: id, content }
  } catch (error) {
    return { role: 'tool', tool_call_id: id, content: String(error) }
  }
}

function schema(name: string, description: string, field: string) {
  const properties = { [field]: { type: 'string' } }
  const parameters = { type: 'object', properties, required: [field] }
  return { type: 'function' as const, function: { name, description, parameters } }
}

interface Call {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: Call[] }
  | { role: 'tool'; tool_call_id: string; content: string }

interface Answer {
  model: string
  choices: [{ message: Message & { role: 'assistant' }; finish_reason: string }]
  usage?: { prompt_tokens: number; completion_tokens: number }
}

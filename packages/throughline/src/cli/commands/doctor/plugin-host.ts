export interface LoadedPlugin {
  client: PluginClient
  file: string
}

export type PluginClient = 'opencode' | 'openclaw' | 'pi'

/** The rule that a plugin has to keep. */
export const rule = 'Never touch config/prod.ts.'

const work = `
import { pathToFileURL } from 'node:url'
const { default: plugin } = await import(pathToFileURL(process.argv[1]).href)
const words = (id) => Array.from({ length: 1500 }, (_, at) => id + at).join(' ')
const steps = Array.from({ length: 40 }, (_, at) => 'a' + at)
const request = 'Fix the login. ${rule}'
`

/**
 * Programs that load a plugin as its client does, in a process of their own, and have it compact a
 * session that is too long. They print what the model would get.
 */
export const hostPrograms: Readonly<Record<PluginClient, string>> = {
  opencode: `${work}
const model = { id: 'm', limit: { context: 40000, output: 4000 } }
const client = {
  config: { providers: async () => ({ data: { providers: [{ id: 'p', models: { m: model } }] } }) },
  session: { messages: async () => ({ data: [] }) },
  _client: { get: async () => ({ data: { version: '1.18.33' } }) },
}
const info = (id, more) => ({ id, sessionID: 'ses_doctor', ...more })
const messages = [
  { info: info('u', { role: 'user', model: { providerID: 'p', modelID: 'm' } }), parts: [{ type: 'text', text: request }] },
  ...steps.map((id) => ({
    info: info(id, { role: 'assistant', modelID: 'm', finish: 'tool-calls' }),
    parts: [{ type: 'tool', tool: 'read', callID: id, state: { status: 'completed', input: { filePath: id }, output: words(id) } }],
  })),
]
const hooks = await plugin.server({ client, directory: process.cwd() })
const output = { messages: [...messages] }
await hooks['experimental.chat.messages.transform']({}, output)
if (output.messages.length < messages.length || JSON.stringify(output.messages).length < JSON.stringify(messages).length / 2)
  process.stdout.write(JSON.stringify(output.messages))
await hooks.dispose()
`,
  openclaw: `${work}
const messages = [{ role: 'user', content: request, timestamp: 1 }]
for (const [at, id] of steps.entries()) {
  const call = { type: 'toolCall', id, name: 'read', arguments: { path: id } }
  messages.push({ role: 'assistant', content: [call], stopReason: 'toolUse', timestamp: at + 2 })
  const content = [{ type: 'text', text: words(id) }]
  messages.push({ role: 'toolResult', toolCallId: id, toolName: 'read', content, timestamp: at + 2 })
}
const made = []
plugin({ registerContextEngine: (_, make) => made.push(make()), registerTool() {}, registerCommand() {} })
const [engine] = made
const sessionId = 'doctor'
await engine.compact({ sessionId, compactionTarget: 'budget' })
const view = await engine.assemble({ sessionId, messages, tokenBudget: 400000 })
if (JSON.stringify(view.messages).length < JSON.stringify(messages).length / 2)
  process.stdout.write(JSON.stringify(view.messages))
`,
  pi: `${work}
const entries = []
const add = (message) => entries.push({
  type: 'message', id: 'e' + entries.length, parentId: entries.at(-1)?.id ?? null,
  timestamp: '2026-01-01T00:00:00.000Z', message: { timestamp: 0, ...message },
})
add({ role: 'user', content: [{ type: 'text', text: request }] })
for (const id of steps) {
  add({ role: 'assistant', content: [{ type: 'toolCall', id, name: 'read', arguments: { path: id } }], stopReason: 'toolUse' })
  add({ role: 'toolResult', toolCallId: id, toolName: 'read', isError: false, content: [{ type: 'text', text: words(id) }] })
}
const handlers = new Map()
plugin({ on: (event, handler) => handlers.set(event, handler), registerTool() {}, registerCommand() {}, sendMessage() {} })
const context = {
  cwd: process.cwd(), model: { id: 'm', contextWindow: 40000, maxTokens: 4000 },
  sessionManager: { getSessionId: () => 'doctor', getBranch: () => entries },
  modelRegistry: { complete: async () => ({}) }, ui: { notify() {} }, getSystemPrompt: () => '',
}
await handlers.get('session_start')({}, context)
const preparation = { firstKeptEntryId: 'e0', tokensBefore: 30000 }
const answer = await handlers.get('session_before_compact')({ preparation, branchEntries: entries, reason: 'threshold' }, context)
if (answer) process.stdout.write(JSON.stringify(answer.compaction))
await handlers.get('session_shutdown')({}, context)
`,
}

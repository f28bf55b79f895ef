import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { cacheFolder } from './install.ts'
import { harnesses, type WrittenMessage, type WrittenSession } from 'throughline/formats'
import type { Message } from 'throughline'

type Call = readonly [tool: string, input: Record<string, unknown>]

/** Calls as two harnesses make them, with every argument that others may have. */
const calls: Readonly<Record<string, readonly Call[]>> = {
  'claude-code': [
    ['Bash', { command: 'ls -la', description: 'List files', timeout: 5000 }],
    ['Read', { file_path: '/code/a.ts' }],
    ['Read', { file_path: '/code/b.ts', offset: 3, limit: 9 }],
    ['Write', { file_path: '/code/c.ts', content: 'one\n' }],
    ['Edit', { file_path: '/code/c.ts', old_string: 'one', new_string: 'two', replace_all: false }],
    ['Edit', { file_path: '/code/c.ts', old_string: 'two', new_string: 'six', replace_all: true }],
    ['Grep', { pattern: 'six', path: '/code', glob: '*.ts', output_mode: 'content', '-n': true }],
    ['Glob', { pattern: '**/*.ts', path: '/code' }],
    ['LS', { path: '/code' }],
    ['WebFetch', { url: 'https://example.com/', prompt: 'What does it say?' }],
    ['WebSearch', { query: 'tabs in parsers' }],
    ['Task', { description: 'Look around', prompt: 'Look.', subagent_type: 'general-purpose' }],
    ['Skill', { skill: 'review' }],
  ],
  opencode: [
    ['bash', { command: 'ls -la', description: 'List files', workdir: '/code', timeout: 5000 }],
    ['read', { filePath: '/code/a.ts' }],
    ['read', { filePath: '/code/b.ts', offset: 3, limit: 9 }],
    ['write', { filePath: '/code/c.ts', content: 'one\n' }],
    ['edit', { filePath: '/code/c.ts', oldString: 'one', newString: 'two' }],
    ['edit', { filePath: '/code/c.ts', oldString: 'two', newString: 'six', replaceAll: true }],
    ['apply_patch', { patchText: '*** Begin Patch\n*** End Patch' }],
    ['grep', { pattern: 'six', path: '/code', include: '*.ts' }],
    ['glob', { pattern: '**/*.ts', path: '/code' }],
    ['list', { path: '/code' }],
    ['webfetch', { url: 'https://example.com/', format: 'text' }],
    ['websearch', { query: 'tabs in parsers' }],
    ['task', { description: 'Look around', prompt: 'Look.', subagent_type: 'general' }],
    ['skill', { name: 'review' }],
  ],
}

/**
 * Writes a session that calls every tool for which others may have a counterpart, and returns its
 * path: Claude Code's tools, or opencode's for Claude Code itself.
 */
export async function everyTool(client: string): Promise<string> {
  const from = client === 'claude-code' ? 'opencode' : 'claude-code'
  const harness = harnesses.find(({ name }) => name === from)
  if (!harness) throw new Error(`No harness is called ${from}.`)
  const now = Date.UTC(2026, 0, 1)
  const identity = { session: randomUUID(), newId: randomUUID, now, directory: '/code' }
  const folder = join(cacheFolder, 'every-tool')
  const file = join(folder, `${from}.json`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, harness.writer.write(sessionOf(calls[from] ?? []), identity).text)
  return file
}

// More than any tail, so that there is something to summarize.
const longAgo = Array.from({ length: 4_000 }, (_, index) => `line ${index} of long ago`).join('\n')

function sessionOf(made: readonly Call[]): WrittenSession {
  const messages: WrittenMessage[] = [
    said({ role: 'user', content: longAgo }),
    said({ role: 'assistant', content: [{ type: 'text', text: 'I have read it.' }] }),
    said({ role: 'user', content: 'Now change it.' }),
    ...made.flatMap(([toolName, input], index) => step(`call_${index}`, toolName, input)),
    said({ role: 'assistant', content: [{ type: 'text', text: 'It is changed.' }] }),
    said({ role: 'user', content: 'Thank you.' }),
    said({ role: 'assistant', content: [{ type: 'text', text: 'Gladly.' }] }),
  ]
  return { messages, facts: { directory: '/code' } }
}

function step(toolCallId: string, toolName: string, input: unknown): WrittenMessage[] {
  const output = { type: 'text' as const, value: `${toolName} gave what was asked` }
  return [
    said({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] }),
    said({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }),
  ]
}

const origins = { system: 'harness', user: 'human', assistant: 'model', tool: 'tool' } as const

function said(message: Message): WrittenMessage {
  return { message, origin: origins[message.role], at: Date.UTC(2026, 0, 1) }
}

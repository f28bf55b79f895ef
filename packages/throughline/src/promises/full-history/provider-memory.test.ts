import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { anthropicCompactor, openConversation } from '../../integrations/anthropic/index.ts'
import { anthropicServer } from '../../testing/compacting-servers/anthropic-server.ts'
import { asked, found, path, remark } from './agent-steps.ts'
import { defaultPolicy, type Policy } from '../../compaction/policy.ts'
import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import type { ProviderCompactor } from '../../compaction/provider/provider-compactor.ts'
import type { Report } from '../../compaction/report.ts'
import type { SessionEvent } from '../../session/events.ts'

/*
 * An agent that keeps notes with Anthropic's memory tool, through Anthropic's own SDK.
 */
const notes = '/memories/progress.md'
const plan = '/memories/plan.md'
const betas = ['context-management-2025-06-27', 'compact-2026-01-12']
const tools = [
  { type: 'memory_20250818' as const, name: 'memory' as const },
  { name: 'read', input_schema: { type: 'object' as const } },
]

/** What the agent has written so far, as its host stores it. */
function memoryOf(all: readonly number[]): string {
  return all.map((number) => `The note about part ${number} says that it is well made.`).join('\n')
}

/** The command of the memory tool at this step; at others, a file is read. */
function commandAt(number: number): Fields | undefined {
  if (number === 1) return { command: 'view', path: '/memories' }
  if (number === 2)
    return { command: 'create', path: '/memories/draft.md', file_text: memoryOf([2]) }
  if (number === 3) return { command: 'rename', old_path: '/memories/draft.md', new_path: plan }
  if (number === 4) return { command: 'create', path: notes, file_text: memoryOf([4]) }
  if (number % 10 === 5)
    return { command: 'insert', path: notes, insert_line: 0, insert_text: memoryOf([number]) }
  return number % 10 === 6 ? { command: 'view', path: notes } : undefined
}

function resultOf(number: number, command: Fields | undefined): string {
  if (!command) return found(number)
  const { path } = command
  if (command['command'] === 'create') return `File created successfully at: ${String(path)}`
  if (command['command'] === 'insert') return `The file ${String(path)} has been edited.`
  if (command['command'] === 'rename') {
    return `Successfully renamed /memories/draft.md to ${plan}`
  }
  if (path === '/memories') {
    return "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n4.0K\t/memories"
  }
  const lines = memoryOf(Array.from({ length: 12 }, (_, at) => number - at)).split('\n')
  return `Here's the content of ${notes} with line numbers:\n${lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join('\n')}`
}

const shown = (number: number): string => `The note about part ${number} says`

function answerOf(number: number, input: Fields | undefined): Fields[] {
  const name = input ? 'memory' : 'read'
  const use = { id: `call-${number}`, name, input: input ?? { path: path(number) } }
  const text = input ? 'I look after my notes.' : remark(number)
  return [{ type: 'text', text }, Object.assign({ type: 'tool_use' }, use)]
}

async function lived(
  steps: number,
  more: {
    policy?: Policy
    window?: number
    edits?: object[]
    /** What the agent does at a step. */
    at?: typeof commandAt
    /** What each file has besides. */
    beside?: string
  } = {},
  compacts?: (client: Anthropic) => ProviderCompactor,
) {
  let number = 0
  const { at = commandAt, beside = '', window = 24_000 } = more
  const server = anthropicServer({ window, answer: () => answerOf(++number, at(number)) })
  const client = new Anthropic({ apiKey: 'x', fetch: server.fetch, maxRetries: 0 })
  const reports: Report[] = []
  const compactor = compacts?.(client)
  const conversation = await openConversation({
    store: memoryStore(),
    id: 'a',
    window: { context: window },
    tools,
    policy: more.policy ?? defaultPolicy,
    ...(compactor && { compactor }),
    onEvent: (event: SessionEvent) => {
      if (event.type === 'compaction-finished') reports.push(event.report)
    },
  })
  let all: AnthropicMessage[] = [asked]
  for (let step = 1; step <= steps; step++) {
    const { messages } = await conversation.send(all, (messages) =>
      client.beta.messages.create({
        model: 'claude-opus-4-6',
        max_tokens: 1_000,
        tools: tools as never,
        messages: messages as never,
        betas,
        ...(more.edits && { context_management: { edits: more.edits as never } }),
      }),
    )
    const id = String(fieldsOf(listOf(messages.at(-1)?.content).at(-1))?.['id'])
    const done = Number(id.split('-')[1])
    const content = resultOf(done, at(done)) + (at(done) ? '' : beside)
    const block = Object.assign({ type: 'tool_result' }, { tool_use_id: id, content })
    all = [...messages, { role: 'user', content: [block] }]
  }
  await conversation.take(all)
  return { server, conversation, reports, all }
}

const pruning: Policy = { ...defaultPolicy, pruneAlone: () => true }
const noPruning: Policy = { ...defaultPolicy, prune: () => undefined }

describe("Anthropic's memory tool", () => {
  it('keeps its files in every summary, by name and not by what they say', async () => {
    const { server, conversation, reports } = await lived(120, { policy: noPruning })
    expect(server.refused).toEqual([])
    expect(reports.length).toBeGreaterThan(3)
    const log = await conversation.session.log()
    const checkpoints = log.filter((entry) => entry.kind === 'checkpoint')
    for (const { summary } of checkpoints) {
      expect(summary).toContain('memories/progress.md')
      expect(summary).toContain('memories/plan.md')
      expect(summary).not.toContain('says that it is well made')
      // Its commands are none of a shell.
      expect(summary).not.toMatch(/`(?:view|create|insert|rename)`/)
    }
  })

  it('has the newest view of each file when older outputs are pruned', async () => {
    const once = (number: number): Fields | undefined =>
      number <= 6 ? commandAt(number) : undefined
    const { server, conversation, reports } = await lived(60, { at: once, policy: pruning })
    expect(server.refused).toEqual([])
    expect(reports.some(({ action }) => action === 'prune')).toBe(true)
    // It is old, and there until a summary comes.
    const compacted = reports.findIndex(({ action }) => action !== 'prune')
    expect(compacted).not.toBe(0)
    const log = await conversation.session.log()
    const viewed = log.find(
      (entry) =>
        entry.kind === 'message' &&
        entry.message.role === 'tool' &&
        JSON.stringify(entry.message).includes(`the content of ${notes}`),
    )
    const pruned = log.flatMap((entry) =>
      entry.kind === 'prune' ? entry.replacements.map(({ ref }) => Number(ref.split('.')[0])) : [],
    )
    const seq = viewed?.seq ?? 0
    expect(pruned.some((one) => one < seq)).toBe(false)
    expect(pruned.filter((one) => one > seq).length).toBeGreaterThan(2)
    expect(pruned).not.toContain(seq)
  })

  it('goes with the provider’s own compaction, whose request has the tool and its beta', async () => {
    const { server, reports, conversation } = await lived(
      120,
      { policy: noPruning, window: 110_000, beside: 'more of it\n'.repeat(600) },
      (client) => anthropicCompactor(client, { model: 'claude-opus-4-6' }),
    )
    expect(server.refused).toEqual([])
    expect(reports.length).toBeGreaterThan(1)
    expect(server.compactions.paused).toBe(reports.length)
    const log = await conversation.session.log()
    for (const entry of log) {
      if (entry.kind !== 'checkpoint') continue
      expect(entry.summary).toContain('memories/progress.md')
    }
  })

  it('keeps what it viewed where clear_tool_uses leaves it alone', async () => {
    const trigger = { type: 'input_tokens', value: 12_000 }
    const keep = { type: 'tool_uses', value: 3 }
    const edits = [{ type: 'clear_tool_uses_20250919', trigger, keep, exclude_tools: ['memory'] }]
    const { server, reports } = await lived(60, { edits, window: 60_000 })
    expect(server.refused).toEqual([])
    expect(Math.max(...server.cleared)).toBeGreaterThan(20)
    expect(reports).toEqual([])
    expect(server.heard.at(-1)).toContain(shown(56))
  })
})

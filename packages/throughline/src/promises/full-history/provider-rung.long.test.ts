import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { anthropicAnswer, asked, found, responsesAnswer } from './agent-steps.ts'
import { anthropicCompactor, openConversation } from '../../integrations/anthropic/index.ts'
import { anthropicServer } from '../../testing/compacting-servers/anthropic-server.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { memoryStore } from '../../stores/memory.ts'
import { messageText } from '../../log/message.ts'
import { openaiCompactor, openResponses } from '../../integrations/openai/index.ts'
import type { ResponsesItem } from '../../wires/openai-responses/calls.ts'
import { openaiServer } from '../../testing/compacting-servers/openai-server.ts'
import type { AnthropicMessage } from '../../wires/anthropic/message.ts'
import type { EntryOf } from '../../log/entry.ts'
import type { Report } from '../../compaction/report.ts'
import type { Session } from '../../session/session.ts'
import type { SessionEvent } from '../../session/events.ts'

/*
 * Against servers that do what OpenAI and Anthropic say of their own compaction, and refuse what they
 * refuse, through their own SDKs.
 */
const rule = 'Never edit main.ts.'
const noPruning = { ...defaultPolicy, prune: () => undefined }

function watched() {
  const reports: Report[] = []
  const onEvent = (event: SessionEvent): void => {
    if (event.type === 'compaction-finished') reports.push(event.report)
  }
  return { store: memoryStore(), id: 'a', onEvent, policy: noPruning, reports }
}

async function checkpointsOf(session: Session): Promise<EntryOf<'checkpoint'>[]> {
  return (await session.log()).filter((entry) => entry.kind === 'checkpoint')
}

describe("OpenAI's own compaction", () => {
  const model = 'gpt-5.4'

  function opened(fails?: () => boolean) {
    let number = 0
    const server = openaiServer({
      window: 32_000,
      answer: () => responsesAnswer(++number),
      ...(fails && { fails }),
    })
    const client = new OpenAI({ apiKey: 'x', fetch: server.fetch, maxRetries: 0 })
    return { server, client, compactor: openaiCompactor(client, { model }) }
  }

  /** An agent with OpenAI's SDK, which goes on from what it gets. */
  async function live(
    conversation: Awaited<ReturnType<typeof openResponses<ResponsesItem>>>,
    client: OpenAI,
    { steps, from, more }: { steps: number; from: ResponsesItem[]; more?: object },
  ): Promise<ResponsesItem[]> {
    let all = from
    for (let step = 1; step <= steps; step++) {
      const { messages } = await conversation.send(all, (input) =>
        client.responses.create({ model, store: false, ...more, input: input as never }),
      )
      const call = fieldsOf(messages.at(-1)) ?? {}
      const number = Number(String(call['call_id']).split('-')[1])
      all = [
        ...messages,
        { type: 'function_call_output', call_id: call['call_id'], output: found(number) } as never,
      ]
    }
    return all
  }

  const start: ResponsesItem[] = [{ type: 'message', ...asked } as ResponsesItem]

  it('stands for the head, beside a summary of ours that anybody reads', async () => {
    const { server, client, compactor } = opened()
    const { reports, ...options } = watched()
    const window = { context: 32_000 }
    const conversation = await openResponses({ ...options, window, compactor })
    await live(conversation, client, { steps: 120, from: start })
    expect(server.refused).toEqual([])
    expect(reports.length).toBeGreaterThan(3)
    expect(reports.map(({ rung }) => rung)).toEqual(reports.map(() => 'provider'))
    expect(server.compactions).toEqual({ endpoint: reports.length, inBand: 0 })
    // What it took is told, in tokens and in money.
    for (const { spent, summarizer } of reports) {
      expect(summarizer).toBe(`openai/${model}`)
      expect(spent?.calls).toBe(1)
      expect(spent?.inputTokens).toBeGreaterThan(5_000)
      expect(spent?.cost).toBeGreaterThan(0)
    }
    // The model knows the task and the rule word for word; each request is within the window.
    expect(server.heard.every((heard) => heard.includes(rule))).toBe(true)
    expect(server.heard.at(-1)?.includes('COMPACTED')).toBe(true)
    // Of two blocks, the newer is made of the older one: one stands in a request, never two.
    for (const input of server.inputs) {
      expect(input.filter(({ type }) => type === 'compaction').length).toBeLessThan(2)
    }
    for (const { block, summary } of await checkpointsOf(conversation.session)) {
      expect(block).toMatchObject({ provider: 'openai', by: `openai/${model}` })
      expect(summary).toContain(rule)
      expect(summary).not.toContain('COMPACTED')
    }
  })

  it('costs nothing to leave: another provider reads our summary, and the same one its block', async () => {
    const { server, client, compactor } = opened()
    const { reports, ...options } = watched()
    const window = { context: 32_000 }
    const first = await openResponses({ ...options, window, compactor })
    await live(first, client, { steps: 40, from: start })
    const compacted = reports.length
    const own = JSON.stringify(first.messages())
    expect(own.includes('encrypted_content')).toBe(true)
    const elsewhere = await openConversation({ ...options, window })
    const said = JSON.stringify(elsewhere.messages())
    expect(said.includes('<prior-conversation-summary>')).toBe(true)
    expect(said.includes('encrypted_content')).toBe(false)
    expect(elsewhere.session.measure().tokens).toBeLessThan(elsewhere.session.budget().usable)
    await elsewhere.session.fit()
    expect(reports).toHaveLength(compacted)
    // Back again, after the process has ended.
    const again = await openResponses({ ...options, window, compactor })
    expect(JSON.stringify(again.messages()) === own).toBe(true)
    expect(server.refused).toEqual([])
  })

  it('is undone byte for byte', async () => {
    const { client, compactor } = opened()
    const { reports: _, ...options } = watched()
    const conversation = await openResponses({ ...options, window: { context: 32_000 }, compactor })
    await live(conversation, client, { steps: 12, from: start })
    const before = conversation.session.messages()
    await conversation.session.compact()
    expect(JSON.stringify(conversation.session.messages()).includes('encrypted_content')).toBe(true)
    await conversation.session.undo()
    expect(conversation.session.messages()).toEqual(before)
  })

  it('that its provider cannot open any more is replaced by our summary in the same step', async () => {
    const { server, client, compactor } = opened()
    const { reports, ...options } = watched()
    const conversation = await openResponses({ ...options, window: { context: 32_000 }, compactor })
    const all = await live(conversation, client, { steps: 40, from: start })
    const answered = server.heard.length
    const compacted = reports.length
    server.rotate()
    await live(conversation, client, { steps: 1, from: all })
    expect(server.refused).toHaveLength(1)
    expect(server.heard).toHaveLength(answered + 1)
    expect(server.heard.at(-1)?.includes('<prior-conversation-summary>')).toBe(true)
    expect(server.heard.at(-1)?.includes(rule)).toBe(true)
    expect(reports).toHaveLength(compacted)
  })

  it('that fails leaves the compaction to ours', async () => {
    const { server, client, compactor } = opened(() => true)
    const { reports, ...options } = watched()
    const conversation = await openResponses({ ...options, window: { context: 32_000 }, compactor })
    await live(conversation, client, { steps: 60, from: start })
    expect(reports.length).toBeGreaterThan(1)
    for (const { rung, attempts } of reports) {
      expect(rung).not.toBe('provider')
      expect(attempts).toMatchObject([{ rung: 'provider', problems: [/^the call failed: 404/] }])
    }
    expect(server.compactions.endpoint).toBe(0)
  })

  it('is asked before a model, behind it, or never, as the policy says', async () => {
    const summaries = { count: 0 }
    const summarizer = {
      name: 'ours',
      summarize: async () => {
        summaries.count += 1
        return { text: '## Goal\nRead all.\n## Accomplished\nSome.', finish: 'stop' as const }
      },
    }
    const asks = async (providerCompaction: 'before' | 'behind' | 'never', fails = false) => {
      summaries.count = 0
      const { server, client, compactor } = opened()
      const { reports, ...options } = watched()
      const policy = { ...noPruning, prepareAt: () => Infinity, providerCompaction }
      const failing = { ...summarizer, summarize: () => Promise.reject(new Error('down')) }
      const conversation = await openResponses({
        ...options,
        policy,
        window: { context: 32_000 },
        compactor,
        summarizer: fails ? failing : summarizer,
      })
      await live(conversation, client, { steps: 40, from: start })
      expect(reports.length).toBeGreaterThan(0)
      const rungs = new Set(reports.map(({ rung }) => rung))
      return {
        rungs: [...rungs],
        ours: summaries.count > 0,
        theirs: server.compactions.endpoint > 0,
      }
    }
    expect(await asks('before')).toEqual({ rungs: ['provider'], ours: false, theirs: true })
    expect(await asks('behind')).toEqual({ rungs: ['model'], ours: true, theirs: false })
    expect(await asks('behind', true)).toEqual({ rungs: ['provider'], ours: false, theirs: true })
    expect(await asks('never')).toEqual({ rungs: ['model'], ours: true, theirs: false })
  })

  it('with context_management comes by itself, and then nobody is asked', async () => {
    const { server, client, compactor } = opened()
    const { reports, ...options } = watched()
    const conversation = await openResponses({ ...options, window: { context: 32_000 }, compactor })
    const more = { context_management: [{ type: 'compaction', compact_threshold: 16_000 }] }
    await live(conversation, client, { steps: 60, from: start, more })
    expect(server.compactions.inBand).toBeGreaterThan(1)
    expect(server.compactions.endpoint).toBe(0)
    expect(reports).toEqual([])
    // Another provider cannot read it: it gets everything, as much as fits.
    const elsewhere = await openConversation({ ...options, window: { context: 32_000 } })
    await elsewhere.session.fit()
    expect(JSON.stringify(elsewhere.messages()).includes('<prior-conversation-summary>')).toBe(true)
    expect(JSON.stringify(elsewhere.messages()).includes('encrypted_content')).toBe(false)
    expect(reports).toHaveLength(1)
  })
})

describe("Anthropic's own compaction", () => {
  const model = 'claude-opus-4-6'
  const tools = [{ name: 'read', input_schema: { type: 'object' as const } }]
  const betas = ['compact-2026-01-12', 'context-management-2025-06-27']

  function opened() {
    let number = 0
    const server = anthropicServer({
      window: 110_000,
      answer: () => anthropicAnswer(++number) as Fields[],
    })
    const client = new Anthropic({ apiKey: 'x', fetch: server.fetch, maxRetries: 0 })
    return { server, client, compactor: anthropicCompactor(client, { model }) }
  }

  async function live(
    conversation: Awaited<ReturnType<typeof openConversation>>,
    client: Anthropic,
    {
      steps,
      from = [asked],
      edits,
      with: sent = betas,
    }: { steps: number; from?: AnthropicMessage[]; edits?: object[]; with?: string[] },
  ): Promise<AnthropicMessage[]> {
    let all = from
    for (let step = 1; step <= steps; step++) {
      const { messages } = await conversation.send(all, (messages) =>
        client.beta.messages.create({
          model,
          max_tokens: 1_000,
          tools,
          messages: messages as never,
          betas: sent,
          ...(edits && { context_management: { edits: edits as never } }),
        }),
      )
      const id = String(fieldsOf(listOf(messages.at(-1)?.content).at(-1))?.['id'])
      const content = `${found(Number(id.split('-')[1]))}${'more of it\n'.repeat(600)}`
      all = [
        ...messages,
        {
          role: 'user',
          content: [Object.assign({ type: 'tool_result' }, { tool_use_id: id, content })],
        },
      ]
    }
    return all
  }

  const window = { context: 110_000 }

  it('stands for the head, beside a summary of ours that anybody reads', async () => {
    const { server, client, compactor } = opened()
    const { reports, ...options } = watched()
    const conversation = await openConversation({ ...options, window, tools, compactor })
    await live(conversation, client, { steps: 120 })
    expect(server.refused).toEqual([])
    expect(reports.length).toBeGreaterThan(2)
    expect(reports.map(({ rung }) => rung)).toEqual(reports.map(() => 'provider'))
    expect(server.compactions).toEqual({ paused: reports.length, inBand: 0 })
    for (const { spent } of reports) {
      expect(spent?.inputTokens).toBeGreaterThan(50_000)
      expect(spent?.cost).toBeGreaterThan(0)
    }
    expect(server.heard.every((heard) => heard.includes(rule))).toBe(true)
    for (const heard of server.heard) {
      expect(heard.split('"type":"compaction"').length).toBeLessThan(3)
    }
    const { store, id } = options
    const elsewhere = await openResponses({ store, id, window, policy: noPruning })
    expect(JSON.stringify(elsewhere.messages()).includes('<prior-conversation-summary>')).toBe(true)
    expect(JSON.stringify(elsewhere.messages()).includes('COMPACTED')).toBe(false)
  })

  it('is replaced by our summary where the beta is gone', async () => {
    const { server, client, compactor } = opened()
    const { reports, ...options } = watched()
    const conversation = await openConversation({ ...options, window, tools, compactor })
    const all = await live(conversation, client, { steps: 45 })
    const compacted = reports.length
    expect(compacted).toBeGreaterThan(0)
    await live(conversation, client, { steps: 2, from: all, with: [] })
    expect(server.refused).toHaveLength(1)
    expect(server.heard.at(-1)?.includes('<prior-conversation-summary>')).toBe(true)
    expect(reports).toHaveLength(compacted)
    const [summary] = conversation.session.messages()
    expect(summary && isSummaryBlock(messageText(summary))).toBe(true)
  })

  it('that comes with an answer tells its cost, and ours stays away', async () => {
    const { server, client } = opened()
    const { reports, ...options } = watched()
    const conversation = await openConversation({ ...options, window, tools })
    const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 60_000 } }]
    await live(conversation, client, { steps: 60, edits })
    expect(server.refused).toEqual([])
    expect(server.compactions.inBand).toBeGreaterThan(1)
    expect(reports).toEqual([])
    const log = await conversation.session.log()
    const told = log.flatMap((entry) =>
      entry.kind === 'observation' &&
      entry.observation.type === 'note' &&
      entry.observation.name === 'provider-compaction'
        ? [entry.observation.data]
        : [],
    )
    expect(told).toHaveLength(server.compactions.inBand)
    for (const data of told) {
      const spent = fieldsOf(fieldsOf(data)?.['spent'])
      expect(spent?.['inputTokens']).toBeGreaterThan(60_000)
      expect(spent?.['cost']).toBeGreaterThan(0)
    }
  })

  it('does not run on what clear_tool_uses has just cleared', async () => {
    const { server, client } = opened()
    const { reports, ...options } = watched()
    const conversation = await openConversation({ ...options, window, tools })
    const trigger = { type: 'input_tokens', value: 40_000 }
    const keep = { type: 'tool_uses', value: 3 }
    const edits = [{ type: 'clear_tool_uses_20250919', trigger, keep }]
    await live(conversation, client, { steps: 120, edits })
    expect(server.refused).toEqual([])
    expect(Math.max(...server.cleared)).toBeGreaterThan(100)
    expect(reports).toEqual([])
    // The request is as large as the API counts it, although everything is sent.
    expect(conversation.session.measure()).toMatchObject({ source: 'usage' })
    expect(conversation.session.measure().tokens).toBeLessThan(40_000)
  })
})

import { messageText } from '../log/message.ts'
import { describe, expect, test } from 'vitest'
import {
  count,
  expectHumanWords,
  expectWholePairs,
  indexed,
  messages,
  missing,
  partCount,
  rawLines,
  read,
  samplesIn,
} from './testing/real-sessions.ts'

interface Raw {
  type: string
  subtype?: string
  uuid?: string
  isCompactSummary?: boolean
  message?: { content: unknown }
  payload?: { type?: string; role?: string; content?: { text?: string }[] }
}

describe.skipIf(missing !== '')(`real Claude Code sessions${missing}`, () => {
  test.each(samplesIn('claude-code'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('claude-code', name)
    const raw = rawLines('claude-code', name) as Raw[]
    const spoken = raw.filter(({ type }) => type === 'user' || type === 'assistant')
    const index = indexed(name)
    expect(format).toBe('claude-code')
    expect(skipped).toEqual([])
    expect(spoken).toHaveLength(index.messages)
    expect(count(log, 'checkpoint') + count(log, 'prune')).toBe(index.compactions)
    expectWholePairs(log)
    expectHumanWords(log)

    const blocks = (kind: string): number =>
      spoken
        .flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []))
        .filter((block: { type?: string }) => block.type === kind).length
    expect(partCount(log, 'tool-call')).toBe(blocks('tool_use'))
    expect(partCount(log, 'tool-result')).toBe(blocks('tool_result'))
    expect(partCount(log, 'reasoning')).toBeGreaterThan(blocks('thinking') - 3)

    // Every record of the conversation is in an entry, summaries and cut-off replies apart.
    const given = new Set(
      log.flatMap((entry) => {
        const metadata = 'metadata' in entry ? entry.metadata : undefined
        return (metadata?.['source'] as { records?: string[] } | undefined)?.records ?? []
      }),
    )
    const left = spoken.filter(
      ({ uuid, isCompactSummary }) => !isCompactSummary && !given.has(uuid ?? ''),
    )
    expect(left.length).toBeLessThanOrEqual(2 * (facts.omitted?.['unfinished'] ?? 0))

    for (const { origin, usage } of messages(log)) {
      expect(usage !== undefined).toBe(origin === 'model')
    }
  })
})

describe.skipIf(missing !== '')(`real Codex sessions${missing}`, () => {
  test.each(samplesIn('codex'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('codex', name)
    const raw = rawLines('codex', name) as Raw[]
    const items = raw.filter(({ type }) => type === 'response_item')
    const kinds = (...wanted: string[]): number =>
      items.filter(({ payload }) => wanted.includes(payload?.type ?? '')).length
    expect(format).toBe('codex')
    expect(facts).toMatchObject({ window: 258_400, model: 'gpt-5.4' })
    expect(facts.system).toContain('You are Codex')
    expect(skipped.map(({ reason }) => reason)).toEqual(
      name.includes('019d6d29') ? ['two objects on one line; both read'] : [],
    )
    expectWholePairs(log)
    expectHumanWords(log)

    const humans = messages(log).filter(({ origin }) => origin === 'human')
    const typed = raw.filter(({ payload }) => payload?.type === 'user_message')
    // What an editor says of an image stands between it and the words; the image is the human's.
    const worded = humans.filter(({ message }) => messageText(message).trim() !== '')
    expect(worded).toHaveLength(typed.length)
    const calls = kinds('function_call', 'custom_tool_call', 'web_search_call')
    expect(partCount(log, 'tool-call')).toBe(calls)
    expect(partCount(log, 'tool-result')).toBe(
      kinds('function_call_output', 'custom_tool_call_output', 'web_search_call'),
    )
    const answers = items.filter(({ payload }) => payload?.role === 'assistant')
    expect(partCount(log, 'text', 'assistant')).toBe(answers.length)

    const checkpoints = log.filter((entry) => entry.kind === 'checkpoint')
    expect(checkpoints).toHaveLength(indexed(name).compactions)
    for (const { tail } of checkpoints) expect(tail.length).toBeGreaterThan(3)
    const steps = messages(log).filter(({ origin }) => origin === 'model')
    const measured = steps.filter(({ usage }) => usage !== undefined)
    expect(measured.length).toBeGreaterThan(0.95 * steps.length)
  })
})

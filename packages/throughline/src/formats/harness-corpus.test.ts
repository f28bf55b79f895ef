import { describe, expect, test } from 'vitest'
import {
  count,
  expectHumanWords,
  expectWholePairs,
  indexed,
  messages,
  missing,
  partCount,
  rawDocument,
  rawLines,
  read,
  samplesIn,
} from './testing/real-sessions.ts'

interface OpencodePart {
  type: string
  text?: string
  synthetic?: boolean
  state?: { status: string }
}

interface OpencodeSession {
  messages: { info: { role: string; summary?: unknown }; parts: OpencodePart[] }[]
}

describe.skipIf(missing !== '')(`real opencode sessions${missing}`, () => {
  test.each(samplesIn('opencode'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('opencode', name)
    const raw = rawDocument('opencode', name) as OpencodeSession
    const replies = raw.messages.filter(({ info }) => info.role === 'assistant')
    const tools = replies.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool')
    expect(format).toBe('opencode')
    expect(facts.omitted).toBeUndefined()
    expect(facts.id).toContain('ses_')
    expect(facts.directory).toContain('/')
    expect(skipped).toEqual([])
    expect(raw.messages).toHaveLength(indexed(name).messages)
    expectWholePairs(log)
    expectHumanWords(log)

    expect(partCount(log, 'tool-call')).toBe(tools.length)
    expect(partCount(log, 'tool-result')).toBe(tools.length)
    const summaries = replies.filter(({ info }) => info.summary === true)
    expect(count(log, 'checkpoint')).toBe(summaries.length)
    const steps = messages(log).filter(({ origin }) => origin === 'model')
    expect(steps).toHaveLength(replies.length - summaries.length)
    expect(steps.every(({ model }) => model === facts.model)).toBe(true)
    // A reply that was torn off before it was counted has no usage.
    const measured = steps.filter(({ usage }) => usage !== undefined)
    expect(measured.length).toBeGreaterThan(0.95 * steps.length)
    const typed = raw.messages.filter(
      ({ info, parts }) =>
        info.role === 'user' && parts.some(({ type, synthetic }) => type === 'text' && !synthetic),
    )
    expect(messages(log).filter(({ origin }) => origin === 'human')).toHaveLength(typed.length)
  })
})

interface PiRecord {
  type: string
  message?: { role: string; stopReason?: string; content?: string | { type: string }[] }
}

describe.skipIf(missing !== '')(`real pi sessions${missing}`, () => {
  test.each(samplesIn('pi'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('pi', name)
    const raw = rawLines('pi', name) as PiRecord[]
    const spoken = raw.flatMap(({ message }) => message ?? [])
    const failed = spoken.filter(
      ({ stopReason }) => stopReason === 'error' || stopReason === 'aborted',
    )
    const role = (wanted: string): number => spoken.filter(({ role }) => role === wanted).length
    expect(format).toBe('pi')
    expect(facts).toMatchObject({ omitted: { unfinished: failed.length } })
    expect(skipped).toEqual([])
    expect(spoken).toHaveLength(indexed(name).messages)
    expectWholePairs(log)
    expectHumanWords(log)

    const calls = spoken
      .filter((message) => !failed.includes(message))
      .flatMap(({ content }) => (typeof content === 'string' ? [] : (content ?? [])))
      .filter(({ type }) => type === 'toolCall')
    expect(partCount(log, 'tool-call')).toBe(calls.length)
    expect(partCount(log, 'tool-result')).toBe(role('toolResult'))
    const humans = messages(log).filter(({ origin }) => origin === 'human')
    expect(humans).toHaveLength(role('user'))
    const steps = messages(log).filter(({ origin }) => origin === 'model')
    expect(steps).toHaveLength(role('assistant') - failed.length)
    expect(steps.every(({ usage }) => usage !== undefined)).toBe(true)

    const checkpoints = log.filter((entry) => entry.kind === 'checkpoint')
    expect(checkpoints).toHaveLength(indexed(name).compactions)
    for (const { tail } of checkpoints) expect(tail.length).toBeGreaterThan(20)
  })
})

interface CopilotEvent {
  type: string
  agentId?: string
  data: { source?: string; toolRequests?: unknown[]; success?: boolean }
}

describe.skipIf(missing !== '')(`real Copilot CLI sessions${missing}`, () => {
  test.each(samplesIn('copilot-cli'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('copilot-cli', name)
    const raw = rawLines('copilot-cli', name) as CopilotEvent[]
    const own = raw.filter(({ agentId }) => agentId === undefined)
    const events = (type: string): CopilotEvent[] => own.filter((event) => event.type === type)
    expect(format).toBe('copilot-cli')
    expect(facts.system).toContain('You are the GitHub Copilot CLI')
    expect(skipped).toEqual([])
    expectWholePairs(log)
    expectHumanWords(log)

    const replies = events('assistant.message')
    expect(messages(log).filter(({ origin }) => origin === 'model')).toHaveLength(replies.length)
    const calls = replies.flatMap(({ data }) => data.toolRequests ?? [])
    expect(partCount(log, 'tool-call')).toBe(calls.length)
    expect(partCount(log, 'tool-result')).toBe(events('tool.execution_complete').length)
    const typed = events('user.message').filter(({ data }) => data.source === undefined)
    const humans = messages(log).filter(({ origin }) => origin === 'human')
    expect(humans).toHaveLength(typed.length)

    const checkpoints = log.filter((entry) => entry.kind === 'checkpoint')
    expect(checkpoints).toHaveLength(events('session.compaction_complete').length)
    for (const { tail, seq, base } of checkpoints) {
      expect(tail).toEqual(humans.map((human) => ({ type: 'entry', seq: human.seq })))
      expect(seq - base).toBeGreaterThan(1)
    }
  })
})

interface GeminiSession {
  messages: { type: string; tokens?: unknown; toolCalls?: { result?: unknown }[] }[]
}

describe.skipIf(missing !== '')(`real Gemini CLI sessions${missing}`, () => {
  test.each(samplesIn('gemini-cli'))('%s', async (name) => {
    const { log, format, facts, skipped } = await read('gemini-cli', name)
    const raw = rawDocument('gemini-cli', name) as GeminiSession
    const kind = (type: string): GeminiSession['messages'] =>
      raw.messages.filter((message) => message.type === type)
    expect(format).toBe('gemini-cli')
    expect(facts).toMatchObject({
      model: 'gemini-3-flash-preview',
      omitted: { 'client-message': kind('info').length },
    })
    expect(skipped).toEqual([])
    expect(raw.messages).toHaveLength(indexed(name).messages)
    expectWholePairs(log)
    expectHumanWords(log)

    const replies = kind('gemini')
    const calls = replies.flatMap(({ toolCalls }) => toolCalls ?? [])
    expect(partCount(log, 'tool-call')).toBe(calls.length)
    expect(partCount(log, 'tool-result')).toBe(calls.filter(({ result }) => result).length)
    const steps = messages(log).filter(({ origin }) => origin === 'model')
    expect(steps).toHaveLength(replies.filter(({ tokens }) => tokens).length)
    expect(steps.every(({ usage }) => usage !== undefined)).toBe(true)
    const humans = messages(log).filter(({ origin }) => origin === 'human')
    expect(humans).toHaveLength(kind('user').length)
  })
})

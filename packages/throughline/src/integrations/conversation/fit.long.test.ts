import { describe, expect, it } from 'vitest'
import { illegalities } from '../../testing/legal.ts'
import { memoryStore } from '../../stores/memory.ts'
import { openConversation } from './index.ts'
import { overflowError } from '../../testing/overflow-errors.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../log/message.ts'
import type { SessionEvent } from '../../session/events.ts'

const rule = 'Never edit main.ts.'
const question: Message = { role: 'user', content: `Read all parts. ${rule}` }

function call(step: number): AssistantMessage {
  const input = { path: `src/part-${step}.ts` }
  return {
    role: 'assistant',
    content: [
      { type: 'text', text: `Part ${step} is next.` },
      { type: 'tool-call', toolCallId: `call_${step}`, toolName: 'read', input },
    ],
  }
}

function result(step: number, words: number): ToolMessage {
  const output = { type: 'text', value: `part ${step}: ${'word '.repeat(words)}` } as const
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: `call_${step}`, toolName: 'read', output }],
  }
}

const window = { context: 16_000 }

async function opened(events: SessionEvent[] = [], store = memoryStore()) {
  let clock = 0
  const onEvent = (event: SessionEvent) => void events.push(event)
  return openConversation({ store, id: 'host', window, now: () => ++clock, onEvent })
}

/** How much of a request the provider has in its cache: what the one before began with. */
function cachedShare(requests: readonly (readonly Message[])[]): number {
  let cached = 0
  let sent = 0
  for (const [index, messages] of requests.entries()) {
    const before = requests[index - 1] ?? []
    const texts = messages.map((message) => JSON.stringify(message))
    const same = texts.findIndex((text, at) => text !== JSON.stringify(before[at]))
    const sizes = texts.map(({ length }) => length)
    cached += total(same < 0 ? sizes : sizes.slice(0, same))
    sent += total(sizes)
  }
  return cached / sent
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

const copied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const hosts: [string, (all: Message[], sent: Message[]) => Message[]][] = [
  ['its full history', (all) => all],
  ['its full history, out of a database each time', (all) => copied(all)],
  ['what it got last time', (_, sent) => sent],
  ['a copy of what it got last time', (_, sent) => copied(sent)],
]

describe.each(hosts)('a host of 150 steps that hands over %s', (_, handsOver) => {
  it('gets legal requests that fit, compacted once for each growth, from a steady prefix', async () => {
    const events: SessionEvent[] = []
    const conversation = await opened(events)
    const all: Message[] = [question]
    let kept: Message[] = [question]
    const requests: Message[][] = []
    for (let step = 1; step <= 150; step++) {
      const sent = await conversation.fit(handsOver([...all], kept))
      requests.push(sent)
      expect(illegalities(sent)).toEqual([])
      expect(JSON.stringify(sent)).toContain(rule)
      expect(conversation.session.measure().tokens).toBeLessThan(window.context)
      const answer = call(step)
      await conversation.note({ messages: [answer] })
      all.push(answer, result(step, 150))
      kept = [...sent, answer, result(step, 150)]
    }
    const compactions = events.filter(({ type }) => type === 'compaction-finished').length
    expect(compactions).toBeGreaterThan(1)
    expect(compactions).toBeLessThan(12)
    expect(cachedShare(requests)).toBeGreaterThan(0.9)
    const log = await conversation.session.log()
    expect(log.filter(({ kind }) => kind === 'message')).toHaveLength(all.length - 1)
  })
})

describe('recover', () => {
  const long = Array.from({ length: 12 }, (_, step) => [call(step), result(step, 300)]).flat()

  it('makes a refused request smaller, once', async () => {
    const conversation = await opened()
    const sent = await conversation.fit([question, ...long])
    const error = overflowError('anthropic', { tokens: 17_000, limit: 12_000 })
    const again = await conversation.recover(error)
    expect(JSON.stringify(again).length).toBeLessThan(JSON.stringify(sent).length)
    expect(illegalities(again ?? [])).toEqual([])
    await expect(conversation.recover(error)).rejects.toMatchObject({ code: 'OVERFLOW' })
  })

  it('leaves errors alone that no smaller request would cure', async () => {
    const conversation = await opened()
    await conversation.fit([question])
    expect(await conversation.recover(new Error('the key is wrong'))).toBeUndefined()
  })
})

describe('note', () => {
  it('teaches the session what the provider counted', async () => {
    const conversation = await opened()
    await conversation.fit([question])
    const inputTokens = Math.round(conversation.session.measure().tokens * 1.1)
    const usage = { inputTokens, outputTokens: 20 }
    await conversation.note({ messages: [{ role: 'assistant', content: 'Done.' }], usage })
    expect(conversation.session.measure().source).toBe('usage')
  })
})

describe('fit', () => {
  it('only takes the messages where nothing may be compacted', async () => {
    const events: SessionEvent[] = []
    const conversation = await opened(events)
    const long = Array.from({ length: 90 }, (_, step) => [call(step), result(step, 300)]).flat()
    const sent = await conversation.fit([question, ...long], { compacts: false })
    expect(sent).toEqual([question, ...long])
    const shorter = await conversation.fit([question, ...long])
    expect(JSON.stringify(shorter).length).toBeLessThan(JSON.stringify(sent).length)
  })

  it('learns from the usage of an answer that only passed by', async () => {
    const conversation = await opened()
    await conversation.fit([question])
    const inputTokens = Math.round(conversation.session.measure().tokens * 1.1)
    const usage = { inputTokens, outputTokens: 20 }
    const said: Message[] = [question, { role: 'assistant', content: 'Done.' }]
    const next: Message[] = [
      { role: 'assistant', content: 'More.' },
      { role: 'user', content: 'x' },
    ]
    await conversation.fit([...said, ...next], { answered: { usage, model: 'm' } })
    expect(conversation.session.measure().source).toBe('usage')
    const log = await conversation.session.log()
    const [, first, second] = log.filter(({ kind }) => kind === 'message')
    expect([first, second]).toMatchObject([{ usage, model: 'm' }, { kind: 'message' }])
    expect(second).not.toHaveProperty('usage')
  })

  it('asks for the results of calls before the model can be asked', async () => {
    const conversation = await opened()
    await expect(conversation.fit([question, call(1)])).rejects.toMatchObject({
      code: 'PENDING_CALLS',
    })
  })

  it('goes on where another process has left off', async () => {
    const store = memoryStore()
    const first = await opened([], store)
    const history: Message[] = [question]
    for (let step = 1; step <= 40; step++) history.push(call(step), result(step, 150))
    const sent = await first.fit(history)
    const second = await opened([], store)
    expect(await second.fit(copied(history))).toEqual(sent)
  })
})

import { expect, test } from 'vitest'
import { contextEngine, type ContextEngine } from './context-engine.ts'
import { memoryStore } from '../../stores/memory.ts'
import { scriptedSummarizer } from '../../testing/scripted/scripted-summarizer.ts'
import { messageText } from '../../log/message.ts'
import type { EngineMessage } from './additions.ts'
import type { Message } from '../../log/message.ts'

function said(key: string, text: string, role: 'user' | 'assistant' = 'user'): EngineMessage {
  const origin = role === 'user' ? 'human' : 'model'
  return { key, at: 1, origin, message: { role, content: text } }
}

const long = 'word '.repeat(1_000)

function turn(number: number): EngineMessage[] {
  return [
    said(`u${number}`, `Request ${number}.`),
    said(`a${number}`, `Answer ${number}. ${long}`, 'assistant'),
  ]
}

function turns(count: number): EngineMessage[] {
  return Array.from({ length: count }, (_, index) => turn(index + 1)).flat()
}

const texts = (messages: readonly Message[]) =>
  messages.map((message) => messageText(message).slice(0, 10))

function open(store = memoryStore()): ContextEngine {
  return contextEngine({ store, now: () => 1 })
}

test('takes each message once, also from a tail of the host’s', async () => {
  const engine = open()
  expect(await engine.bootstrap('s', turns(2))).toBe(4)
  expect(await engine.ingest('s', [...turn(2), ...turn(3)])).toBe(2)
  const { messages } = await engine.assemble('s', { messages: turns(1) })
  expect(messages).toHaveLength(6)
})

test('goes back where the host went another way, and keeps pins', async () => {
  const engine = open()
  await engine.bootstrap('s', turns(3))
  await (await engine.session('s')).pin('Use tabs.')
  await engine.ingest('s', [...turns(2), said('u9', 'Another.')])
  const { messages } = await engine.assemble('s')
  expect(texts(messages).slice(4)).toEqual(['[Pinned] U', 'Another.'])
})

test('commits a turn once, in two processes too', async () => {
  const store = memoryStore()
  const [one, other] = [open(store), open(store)]
  const all = await Promise.all(
    [one, other, one].map((engine) => engine.commit('s', { key: 't1', messages: turns(1) })),
  )
  expect(all.toSorted()).toEqual(['committed', 'duplicate', 'duplicate'])
  expect((await other.assemble('s')).messages).toHaveLength(2)
})

test('keeps the bytes of its beginning between compactions, and four fifths of the budget', async () => {
  const engine = open()
  let before: string[] = []
  let broken = 0
  for (let number = 1; number <= 40; number++) {
    await engine.commit('s', { key: `t${number}`, messages: turn(number) })
    const { messages, tokens } = await engine.assemble('s', { budget: 20_000 })
    expect(tokens).toBeLessThanOrEqual(16_000)
    const now = messages.map((message) => JSON.stringify(message))
    if (!before.every((each, index) => each === now[index])) broken += 1
    before = now
  }
  expect(broken).toBeGreaterThan(0)
  expect(broken).toBeLessThan(8)
})

test('answers every compaction', async () => {
  const engine = open()
  expect(await engine.compact('s')).toMatchObject({ compacted: false })
  await engine.ingest('s', turns(16))
  const done = await engine.compact('s', { focus: 'the parser' })
  expect(done).toMatchObject({ compacted: true })
  expect(done.after).toBeLessThan(done.before)
})

test('what a host asks for in a turn is one compaction, of all that it tells after it', async () => {
  const engine = open()
  await engine.ingest('s', turns(6))
  await engine.compactNext('s', { share: 1 / 4 })
  const kinds = async () => (await (await engine.session('s')).log()).map(({ kind }) => kind)
  expect(await kinds()).not.toContain('checkpoint')
  const asked = { budget: 100_000, messages: turns(20) }
  const { tokens, compacted } = await engine.assemble('s', asked)
  expect(compacted?.after).toBe(tokens)
  expect(tokens).toBeLessThanOrEqual((compacted?.before ?? 0) / 4)
  const more = await engine.assemble('s', { budget: 100_000, messages: turns(30) })
  expect(more.compacted).toBeUndefined()
  expect((await kinds()).filter((kind) => kind === 'checkpoint')).toHaveLength(1)
})

test('a model is asked where a human has said something since, else code writes the summary', async () => {
  const summarizer = scriptedSummarizer('good')
  const engine = contextEngine({ store: memoryStore(), now: () => 1, summarizer })
  const steps = (count: number) =>
    turns(count).filter(({ key }, index) => index === 0 || key.startsWith('a'))
  const asked = async (messages: readonly EngineMessage[]) => {
    await engine.compactNext('s', { share: 1 / 4 })
    const { compacted } = await engine.assemble('s', { messages })
    expect(compacted?.after).toBeLessThan((compacted?.before ?? 0) / 2)
    return summarizer.requests.length
  }
  expect(await asked(steps(20))).toBe(1)
  expect(await asked(steps(40))).toBe(1)
  expect(await asked([...steps(60), said('new', 'Now the parser.'), ...turns(80).slice(120)])).toBe(
    2,
  )
})

test('where more has to stay than the share, it compacts what it can', async () => {
  const engine = open()
  const pasted = said('u1', long)
  await engine.ingest('s', [pasted, ...turns(12).slice(1)])
  await engine.compactNext('s', { share: 1 / 100 })
  const { compacted, problem } = await engine.assemble('s', { budget: 100_000 })
  expect(problem).toBeUndefined()
  expect(compacted?.after).toBeLessThan(compacted?.before ?? 0)
})

test('a budget that is missing or senseless is the one before', async () => {
  const engine = open()
  await engine.assemble('s', { budget: 10_000, messages: turns(20) })
  const { tokens, problem } = await engine.assemble('s', { budget: Number.NaN })
  expect(problem).toBeUndefined()
  expect(tokens).toBeLessThanOrEqual(8_000)
})

test('a view that cannot fit is an answer with its problem, not an error', async () => {
  const engine = open()
  const { problem, messages } = await engine.assemble('s', { budget: 40, messages: turns(2) })
  expect(problem).toMatch(/\w/)
  expect(messages.length).toBeGreaterThan(0)
})

test('a fork begins with what its parent has, and goes its own way', async () => {
  const engine = open()
  await engine.ingest('s', turns(1))
  await engine.fork('s', 'child')
  await engine.ingest('child', turn(2))
  expect((await engine.assemble('child')).messages).toHaveLength(4)
  expect((await engine.assemble('s')).messages).toHaveLength(2)
  await engine.dispose()
})

test('another process goes on with the same bytes', async () => {
  const store = memoryStore()
  const first = open(store)
  const { messages } = await first.assemble('s', { budget: 20_000, messages: turns(20) })
  const again = await open(store).assemble('s', { budget: 20_000, messages: turns(20).slice(-4) })
  expect(again.messages).toEqual(messages)
})

test('a compaction that is due soon is made when the cache has expired anyway', async () => {
  let time = 1
  const assembled = (engine: ContextEngine, count: number) =>
    engine.assemble('s', { budget: 32_000, messages: turns(count) })
  const fresh = () => contextEngine({ store: memoryStore(), now: () => time })
  const fits = async (count: number) => !(await assembled(fresh(), count)).compacted
  let count = 1
  while (await fits(count + 1)) count += 1
  const engine = fresh()
  expect((await assembled(engine, count)).compacted).toBeUndefined()
  time += 600_000
  expect((await assembled(engine, count)).compacted).toBeDefined()
})

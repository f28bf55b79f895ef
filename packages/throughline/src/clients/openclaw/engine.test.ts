import { expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { nativeText } from './messages.ts'
import { slotOf, type Slot } from './engine.ts'
import type { Fields } from '../../json/fields.ts'

const failures: unknown[] = []

function open(store = memoryStore()): Slot {
  return slotOf({
    store,
    local: true,
    failed: (_, error) => failures.push(error),
    compacted: () => {},
  })
}

const long = 'word '.repeat(1_000)

function user(at: number, text: string): Fields {
  return { role: 'user', content: text, timestamp: at }
}

/** A step of the agent, with ids in one of the two ways in which the host writes them. */
function step(at: number, sign = '_'): Fields[] {
  const id = `call${sign}${at}`
  const call = { type: 'toolCall', id, name: 'exec', arguments: { command: `look ${at}` } }
  const content = [{ type: 'text', text: `Step ${at}.` }, call]
  const answer = [{ type: 'text', text: `${at} ${long}` }]
  return [
    { role: 'assistant', content, stopReason: 'toolUse', timestamp: at },
    { role: 'toolResult', toolCallId: id, toolName: 'exec', content: answer, timestamp: at },
  ]
}

const steps = (count: number, sign = '_') =>
  Array.from({ length: count }, (_, index) => step(index + 2, sign)).flat()

const sessionId = 's'

test('gives the host its own objects while all fits', async () => {
  const { engine } = open()
  const messages = [user(1, 'Go.'), ...steps(3)]
  const view = await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  expect(view.messages).toHaveLength(messages.length)
  view.messages.forEach((message, index) => expect(message).toBe(messages[index]))
})

test('folds a running turn, takes its own view back, and keeps its beginning', async () => {
  const { engine, port } = open()
  const messages = [user(1, 'Go. Never edit main.ts.'), ...steps(14)]
  await engine.assemble({ sessionId, messages, tokenBudget: 100_000 })
  const done = await engine.compact({ sessionId, tokenBudget: 40_000, currentTokenCount: 20_000 })
  expect(done).toMatchObject({ ok: true, compacted: true })
  const first = await engine.assemble({ sessionId, messages, tokenBudget: 40_000 })
  expect(first.estimatedTokens).toBeLessThanOrEqual(8_000)
  expect(nativeText(first.messages[0] ?? {})).toContain('Never edit main.ts.')
  const before = (await (await port.session(sessionId)).log()).length
  const again = await engine.assemble({ sessionId, messages: first.messages, tokenBudget: 40_000 })
  expect(again.messages).toEqual(first.messages)
  expect((await (await port.session(sessionId)).log()).length).toBe(before)
})

test('a turn is committed once, also with ids that the host writes in another way', async () => {
  const { engine, port } = open()
  await engine.assemble({ sessionId, messages: [user(1, 'Go.'), ...steps(2, '')] })
  const turn = { sessionId, advancementKey: 't', messages: [user(1, 'Go.'), ...steps(3, '_')] }
  expect(await engine.commitTurn(turn)).toEqual({ status: 'committed' })
  expect(await engine.commitTurn(turn)).toEqual({ status: 'duplicate' })
  const log = await (await port.session(sessionId)).log()
  expect(log.filter(({ kind }) => kind === 'message')).toHaveLength(7)
  const { messages } = await engine.assemble({ sessionId, messages: [user(9, 'And?')] })
  const ids = messages.flatMap(({ toolCallId }) => toolCallId ?? [])
  const calls = messages.flatMap(({ role, content }) =>
    role === 'assistant' ? (content as Fields[]).flatMap(({ id }) => id ?? []) : [],
  )
  expect(ids).toEqual(calls)
})

test('what a heartbeat says is no request', async () => {
  const { engine, port } = open()
  const messages = [user(1, 'Look around.')]
  await engine.commitTurn({ sessionId, advancementKey: 'h', messages, isHeartbeat: true })
  const [said] = await (await port.session(sessionId)).log()
  expect(said).toMatchObject({ origin: 'harness' })
})

test('every compaction has an answer, and an engine in trouble gives the messages as they came', async () => {
  const { engine } = open()
  expect(await engine.compact({ sessionId })).toMatchObject({ ok: true, compacted: false })
  expect(await engine.compact({ sessionId, force: true })).toMatchObject({ ok: true })
  const store = { ...memoryStore(), read: () => Promise.reject(new Error('the disk is gone')) }
  const broken = open(store)
  const messages = [user(1, 'Go.')]
  expect((await broken.engine.assemble({ sessionId, messages })).messages).toEqual(messages)
  expect(await broken.engine.compact({ sessionId, force: true })).toMatchObject({ ok: true })
  expect(String(failures.at(-1))).toContain('the disk is gone')
})

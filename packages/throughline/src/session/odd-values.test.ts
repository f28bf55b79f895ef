import { describe, expect, it } from 'vitest'
import { memoryStore } from '../stores/memory.ts'
import { chronological } from '../log/order.ts'
import { assistant, human } from '../testing/generate/build.ts'
import { compactLog } from './once/compact-log.ts'
import { run } from './loop/loop.ts'
import type { StepResult } from './loop/step-record.ts'
import { openSession } from './session.ts'
import type { EntryDraft } from '../log/entry.ts'

// As plain JavaScript may give them.
const open = (options: object = {}) =>
  openSession({ store: memoryStore(), id: 'a', window: { context: 32_000 }, ...options })
const usage = { inputTokens: 10, outputTokens: 5 }

describe('an entry that no log can hold is refused, and nothing is written', () => {
  it.each<[string, object]>([
    ['usage.inputTokens', { ...assistant('Yes.'), usage: { ...usage, inputTokens: NaN } }],
    ['usage.outputTokens', { ...assistant('Yes.'), usage: { ...usage, outputTokens: -1 } }],
    ['usage.outputTokens', { ...assistant('Yes.'), usage: { inputTokens: 1 } }],
    ['usage.cacheReadTokens', { ...assistant('Yes.'), usage: { ...usage, cacheReadTokens: '5' } }],
    ['usage', { ...assistant('Yes.'), usage: null }],
    ['at', { ...human('Hello.'), at: undefined }],
    ['at', { ...human('Hello.'), at: NaN }],
    ['at', { ...human('Hello.'), at: new Date() }],
    ['kind', { ...human('Hello.'), kind: 'remark' }],
    ['origin', { ...human('Hello.'), origin: undefined }],
    ['message.role', { ...human('Hello.'), message: { role: 'robot', content: '' } }],
    ['message.content', { ...human('Hello.'), message: { role: 'user' } }],
    ['message.content[0]', { ...human('Hello.'), message: { role: 'user', content: ['Hello.'] } }],
    ['message', { ...human('Hello.'), message: null }],
    ['observation', { kind: 'observation', at: 1, observation: null }],
    ['text', { kind: 'pin', at: 1 }],
    ['pin', { kind: 'unpin', at: 1, pin: '3' }],
    ['to', { kind: 'rewind', at: 1 }],
    ['replacements', { kind: 'prune', at: 1, base: 1, metadata: {} }],
    ['tail', { kind: 'checkpoint', at: 1, base: 1, summary: '', tail: null }],
  ])('%s: %#', async (field, draft) => {
    const session = await open()
    const refused = session.append(human('First.'), draft as EntryDraft)
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ENTRY', field })
    expect(await session.log()).toEqual([])
  })

  it('entry: null', async () => {
    const session = await open()
    await expect(session.append(null as never)).rejects.toMatchObject({ code: 'INVALID_ENTRY' })
  })
})

describe('an option that is none is refused', () => {
  it.each<[string, object]>([
    ['now', { now: 5 }],
    ['onEvent', { onEvent: 'loud' }],
    ['count', { count: {} }],
    ['summarizer', { summarizer: async () => 'short' }],
    ['compactor', { compactor: { name: 'own' } }],
    ['store', { store: {} }],
    ['store', { store: undefined }],
    ['id', { id: '' }],
    ['id', { id: undefined }],
  ])('%s: %#', async (field, options) => {
    await expect(open(options)).rejects.toMatchObject({ code: 'INVALID_ENTRY', field })
  })

  it('a clock that shows no time', async () => {
    const session = await open({ now: () => NaN })
    await expect(session.say('Hello.')).rejects.toMatchObject({ field: 'at' })
    await expect(session.compact()).rejects.toMatchObject({ field: 'at' })
    const log = chronological([{ ...human('Hello.'), seq: 1 }])
    const compacted = compactLog(log, { window: { context: 8_000 }, now: NaN })
    await expect(compacted).rejects.toMatchObject({ field: 'at' })
  })
})

it.each([
  { inputTokens: NaN, outputTokens: 1 },
  { inputTokens: -5, outputTokens: 1 },
  null,
  'many',
])('an answer with usage that is none is kept, and the usage is not believed: %j', async (odd) => {
  const session = await open()
  await session.say('Go.')
  const step = async (): Promise<StepResult> => ({
    messages: [{ role: 'assistant', content: 'Done.' }],
    finish: 'stop',
    usage: odd as never,
  })
  expect(await run({ session, step })).toEqual({ reason: 'finished', steps: 1 })
  const log = await session.log()
  expect(log.flatMap((entry) => ('usage' in entry ? [entry.usage] : []))).toEqual([])
  expect(session.messages().at(-1)?.content).toBe('Done.')
  expect(session.measure().tokens).toBeGreaterThan(0)
  const notes = log.filter((entry) => entry.kind === 'observation')
  expect(JSON.stringify(notes)).toContain('usage-refused')
})

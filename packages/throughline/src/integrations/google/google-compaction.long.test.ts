import { afterEach, expect, test } from 'vitest'
import { compactContents, googleCompaction } from './index.ts'
import { GoogleGenAI, type Content } from '@google/genai'
import { memoryStore } from '../../stores/memory.ts'
import { startProvider, type ProviderScript } from '../../testing/provider/index.ts'

const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const window = { context: 16_000 }
const long = 'word '.repeat(900)

async function setting(script: ProviderScript) {
  const provider = await startProvider({ script, rules: { strict: true } })
  open.push(provider)
  const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: provider.url } })
  const compaction = googleCompaction(ai, { store: memoryStore(), id: 'a', window })
  return { provider, ai, compaction }
}

test.each(['whole', 'streamed'])('a chat fits to its end, its answers %s', async (way) => {
  const { provider, compaction } = await setting(({ number }) => ({
    text: `Answer ${number}. ${long}`,
  }))
  const chat = compaction.chats.create({
    model: 'scripted',
    config: { systemInstruction: 'Be brief.' },
  })
  for (let turn = 1; turn <= 20; turn++) {
    const message = `Question ${turn}. ${long}`
    if (way === 'whole') await chat.sendMessage({ message })
    else for await (const _ of await chat.sendMessageStream({ message })) continue
  }
  expect(chat.getHistory().length).toBeGreaterThanOrEqual(40)
  const sizes = provider.requests.map(({ body }) => JSON.stringify(body).length / 4)
  expect(Math.max(...sizes)).toBeLessThan(window.context)
  const log = await (await compaction.session()).log()
  expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
  expect(log.filter((entry) => entry.kind === 'message')).toHaveLength(40)
  expect(log.filter((entry) => entry.kind === 'message' && entry.usage)).toHaveLength(20)
})

test('calls without an id have one in the log, and none in a request', async () => {
  const { provider, compaction } = await setting([{ text: 'Done.' }])
  const contents: Content[] = [
    { role: 'user', parts: [{ text: 'Read.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'read', args: { path: 'a' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'x' } } }] },
  ]
  await compaction.models.generateContent({ model: 'scripted', contents })
  expect(provider.requests[0]?.body['contents']).toEqual(contents)
  const [, call, result] = await (await compaction.session()).log()
  expect(call).toMatchObject({
    message: { content: [{ toolCallId: 'nameless_1', toolName: 'read' }] },
  })
  expect(result).toMatchObject({ message: { content: [{ toolCallId: 'nameless_1' }] } })
})

test('what is no conversation goes to the client itself', async () => {
  const { ai, compaction } = await setting([{ text: 'A title.' }])
  expect((await ai.models.generateContent({ model: 'x', contents: 'A title?' })).text).toBe(
    'A title.',
  )
  expect(await (await compaction.session()).log()).toEqual([])
})

test('contents are compacted once, and those that stay are the same objects', async () => {
  const contents: Content[] = Array.from({ length: 41 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'model',
    parts: [{ text: `${index}. ${long}` }],
  }))
  const { messages: shorter, report } = await compactContents(contents, { window })
  expect(report.action).toBe('summary')
  expect(shorter.at(-1)).toBe(contents.at(-1))
  expect(shorter.length).toBeLessThan(20)
})

import { expect, test } from 'vitest'
import { llamaindexCompaction } from './index.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { BaseLLM, ChatMessage, ChatResponseChunk } from '@llamaindex/core/llms'

const long = 'word '.repeat(900)

/** A model of LlamaIndex that says how many messages it was given. */
function countingModel(): { llm: BaseLLM; asked: ChatMessage[][] } {
  const asked: ChatMessage[][] = []
  async function* pieces(text: string): AsyncGenerator<ChatResponseChunk> {
    for (const delta of text.split(' ')) yield { delta: `${delta} `, raw: {} }
  }
  const chat = async ({ messages, stream }: { messages: ChatMessage[]; stream?: boolean }) => {
    asked.push(messages)
    const content = `Answer ${asked.length} to ${messages.length}. `
    if (stream) return pieces(content.trim())
    const usage = { input_tokens: Math.ceil(JSON.stringify(messages).length / 4), output_tokens: 3 }
    return { message: { role: 'assistant', content }, raw: { usage } }
  }
  const complete = async () => ({ text: 'A title.', raw: null })
  return { llm: { chat, complete, metadata: {} } as unknown as BaseLLM, asked }
}

test('the memory gives all messages, and the model is asked what fits', async () => {
  const store = memoryStore()
  const { llm, asked } = countingModel()
  const compaction = llamaindexCompaction({ store, id: 'a', window: { context: 16_000 } })
  const model = compaction.llm(llm)
  for (let turn = 1; turn <= 20; turn++) {
    await compaction.memory.add({ role: 'user', content: `Question ${turn}. ${long}` })
    const messages = await compaction.memory.getLLM(model)
    expect(messages).toHaveLength(turn * 2 - 1)
    let content = ''
    if (turn % 2 === 0) content = String((await model.chat({ messages })).message.content)
    else
      for await (const { delta } of await model.chat({ messages, stream: true })) content += delta
    await compaction.memory.add({ role: 'assistant', content })
  }
  const sizes = asked.map((messages) => JSON.stringify(messages).length / 4)
  expect(Math.max(...sizes)).toBeLessThan(16_000)
  const log = await (await compaction.session()).log()
  expect(log.filter((entry) => entry.kind === 'message')).toHaveLength(40)
  expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
  expect(log.filter((entry) => entry.kind === 'message' && entry.usage)).toHaveLength(10)

  const again = llamaindexCompaction({ store, id: 'a', window: { context: 16_000 } })
  await again.memory.add({ role: 'user', content: 'And?' })
  const messages = await again.memory.getLLM()
  expect(messages.length).toBeLessThan(41)
  expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'And?' })
  await again.llm(llm).chat({ messages })
  const whole = await (await again.session()).log()
  expect(whole.filter((entry) => entry.kind === 'message')).toHaveLength(42)
})

test('a completion is no part of the conversation', async () => {
  const { llm } = countingModel()
  const compaction = llamaindexCompaction({
    store: memoryStore(),
    id: 'a',
    window: { context: 16_000 },
  })
  expect(await compaction.llm(llm).complete({ prompt: 'A title?' })).toMatchObject({
    text: 'A title.',
  })
  expect(await (await compaction.session()).log()).toEqual([])
})

import { expect, it } from 'vitest'
import { openGemini } from './index.ts'
import { geminiWire } from '../../wires/gemini/wire.ts'
import { messagesIn, nativesIn } from '../../wires/wire.ts'
import { geminiProblems } from '../../testing/request-rules/gemini.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { GeminiContent } from '../../wires/gemini/read-parts.ts'

const window = { context: 16_000 }

function step(number: number): GeminiContent[] {
  const args = { path: `part-${number}.ts` }
  const response = { output: `part ${number}: ${'word '.repeat(400)}` }
  return [
    { role: 'model', parts: [{ functionCall: { name: 'read', args } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response } }] },
  ]
}

it('keeps a conversation of 100 steps legal and inside of its window, from a steady prefix', async () => {
  const store = memoryStore()
  const conversation = await openGemini({ store, id: 'a', window })
  const contents: GeminiContent[] = [
    { role: 'user', parts: [{ text: 'Read all parts. Never edit main.ts.' }] },
  ]
  let changes = 0
  let before: string[] = []
  for (let number = 1; number <= 100; number++) {
    contents.push(...step(number))
    // A client makes its contents anew for each request.
    const sent = await conversation.fit(JSON.parse(JSON.stringify(contents)) as GeminiContent[])
    expect(geminiProblems(sent as never)).toEqual([])
    expect(JSON.stringify(sent)).toContain('Never edit main.ts.')
    expect(conversation.session.measure().tokens).toBeLessThan(window.context)
    const texts = sent.map((content) => JSON.stringify(content))
    if (before.some((text, index) => texts[index] !== text)) changes += 1
    before = texts
    const [said] = step(number + 1)
    const usageMetadata = { promptTokenCount: conversation.session.measure().tokens }
    await conversation.note({ candidates: [{ content: said as object }], usageMetadata })
  }
  expect(changes).toBeGreaterThan(1)
  expect(changes).toBeLessThan(10)
})

it('converts contents to messages and back', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }, ...step(1)]
  expect(nativesIn(geminiWire.write(messagesIn(geminiWire.read(contents))))).toEqual(contents)
  expect(messagesIn(geminiWire.read([{ role: 'user', parts: [{ text: 'hi' }] }]))).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  ])
})

import { expect, test } from 'vitest'
import { chunksOf, lineSplitter } from './byte-lines.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

test('a line that is too long is passed over, and those around it are not', () => {
  const lines: (string | undefined)[] = []
  const splitter = lineSplitter((line) => lines.push(line && decoder.decode(line)), 8)
  for (const chunk of ['short\nmuch too', ' long a line', ' to keep\n', '123456789\nlast'])
    splitter.push(encoder.encode(chunk))
  splitter.end()
  expect(lines).toEqual(['short', undefined, undefined, 'last'])
})

test('a source of any kind comes in small chunks', async () => {
  const text = 'x'.repeat(1_000_000)
  for (const source of [text, encoder.encode(text), [text], [encoder.encode(text)]]) {
    let length = 0
    for await (const chunk of chunksOf(source)) {
      expect(chunk.length).toBeLessThan(300_000)
      length += chunk.length
    }
    expect(length).toBe(text.length)
  }
})

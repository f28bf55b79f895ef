import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { cappedUsage } from './capped-usage.ts'

async function through(chunks: readonly string[], isStream: boolean): Promise<string> {
  const capped = Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(
    cappedUsage(100, isStream),
  )
  let text = ''
  for await (const chunk of capped as AsyncIterable<Buffer>) text += chunk.toString()
  return text
}

it('caps what is told of the input, and leaves every other byte', async () => {
  const events = [
    'event: a\ndata: {"type":"message_start","message":{"id" : 1,"usage":{"input_tokens":9000,"output_tokens":1}}}\n\n',
    'data: {"delta":"the usage {\\"prompt_tokens\\": 500}"}\n\n: ping\n\n',
    'data: {"type":"response.completed","response":{"usage":{"input_tokens":50}}}\n\ndata: [DONE]\n\n',
  ]
  const whole = events.join('')
  const expected = whole.replace(
    '{"id" : 1,"usage":{"input_tokens":9000,"output_tokens":1}}',
    '{"id":1,"usage":{"input_tokens":100,"output_tokens":1}}',
  )
  expect(await through(events, true)).toBe(expected)
  // However the bytes are divided.
  expect(await through([...whole], true)).toBe(expected)
})

it('caps a whole answer, and leaves one that is below as it came', async () => {
  expect(await through(['{"usage":{"prompt_tokens":', '900,"total_tokens":901}}'], false)).toBe(
    '{"usage":{"prompt_tokens":100,"total_tokens":100}}',
  )
  const small = '{ "usage": {"prompt_tokens": 9} }'
  expect(await through([small], false)).toBe(small)
  expect(await through(['not json usage'], false)).toBe('not json usage')
})

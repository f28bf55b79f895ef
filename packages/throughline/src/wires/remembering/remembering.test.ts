import { expect, test } from 'vitest'
import { anthropicWire } from '../anthropic/wire.ts'
import { remembering } from './remembering.ts'
import { openaiResponsesWire } from '../openai-responses/write.ts'
import type { AnthropicMessage } from '../anthropic/message.ts'
import type { ResponsesItem } from '../openai-responses/calls.ts'

function conversation() {
  const input = { path: 'src/a.ts', lines: [{ from: 1, to: 9 }] }
  const text: Record<string, unknown> = { type: 'text', text: 'Look at src/a.ts.' }
  const natives = [
    { role: 'user', content: [text] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'A line.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ] as unknown as AnthropicMessage[]
  return { natives, input, text }
}

test('what is the same is known, also where the mark of a cache has moved in place', () => {
  const wire = remembering(anthropicWire)
  const { natives, text } = conversation()
  const first = wire.read(natives)
  text['cache_control'] = { type: 'ephemeral' }
  const again = wire.readOn(natives, first)
  expect(again).toHaveLength(first.length)
  for (const [index, pair] of again.entries()) expect(pair).toBe(first[index])
})

test.each(['at its place', 'at another place'])('an edit deep in place is noticed %s', (where) => {
  const wire = remembering(anthropicWire)
  const { natives, input } = conversation()
  const first = wire.read(natives)
  ;(input.lines[0] as { to: number }).to = 99
  const moved = [{ role: 'user', content: 'Before.' } as AnthropicMessage, ...natives]
  const again = where === 'at its place' ? wire.readOn(natives, first) : wire.read(moved)
  const calls = again.filter(({ messages }) => JSON.stringify(messages).includes('tool-call'))
  expect(calls).toHaveLength(1)
  expect(first).not.toContain(calls[0])
  expect(JSON.stringify(calls)).toContain('"to":99')
  expect(again.filter((pair) => first.includes(pair)).length).toBeGreaterThan(0)
})

function items() {
  return [
    { role: 'user', content: 'Look at src/a.ts.' },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"src/a.ts"}' },
    { type: 'function_call_output', call_id: 'a', output: 'A line.' },
    { role: 'assistant', content: 'Done.' },
  ] as unknown as ResponsesItem[]
}

test('an edit in place is noticed also behind the first item of an answer', () => {
  const wire = remembering(openaiResponsesWire)
  const natives = items()
  const first = wire.readOn(natives, [])
  expect(first.some((pair) => pair.natives.length > 1)).toBe(true)
  expect(wire.readOn(natives, first)).toEqual(first)
  Object.assign(natives[2] as object, { arguments: '{"path":"src/b.ts"}' })
  expect(JSON.stringify(wire.readOn(natives, first).map(({ messages }) => messages))).toContain(
    'src/b.ts',
  )
})

test('what belongs together in one list stays so, whatever its parts were in another', () => {
  const wire = remembering(openaiResponsesWire)
  const natives = items()
  const first = wire.readOn(natives, [])
  for (const native of natives.slice(1, 3)) {
    wire.remember({ natives: [native], messages: [{ role: 'assistant', content: '' }] })
  }
  const again = wire.readOn(natives, first)
  expect(again.flatMap((pair) => pair.natives)).toEqual(natives)
  expect(again.map(({ natives }) => natives.length)).toEqual(first.map((one) => one.natives.length))
})

import { openaiResponsesWire } from '../../../wires/openai-responses/write.ts'
import type { ResponsesItem } from '../../../wires/openai-responses/calls.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messagesIn, nativesIn } from '../../../wires/wire.ts'
import { responsesInput } from '../../../testing/generate/messages/responses-items.ts'
import { rememberedResponses } from './open-responses.ts'
import { runs } from '../../../testing/generate/runs.ts'
import type { Message } from '../../../log/message.ts'

const fromInputItems = (items: readonly ResponsesItem[]): Message[] =>
  messagesIn(openaiResponsesWire.read(items))
const toInputItems = (messages: readonly Message[]) =>
  nativesIn(openaiResponsesWire.write(messages))

describe('items of the Responses API', () => {
  test('come back as they were, also through JSON', () => {
    fc.assert(
      fc.property(responsesInput, (input) => {
        const stored = JSON.parse(JSON.stringify(fromInputItems(input))) as Message[]
        expect(toInputItems(stored)).toEqual(input)
      }),
      runs(400),
    )
  })

  test('come back as the very objects where nothing has changed', () => {
    fc.assert(
      fc.property(responsesInput, (input) => {
        const back = nativesIn(
          rememberedResponses.write(messagesIn(rememberedResponses.read(input))),
        )
        expect(back.every((item, index) => item === input[index])).toBe(true)
      }),
      runs(100),
    )
  })

  test('of one answer are one message, and the outputs of its calls stand behind it', () => {
    const messages = fromInputItems([
      { type: 'reasoning', id: 'rs', summary: [] },
      { type: 'function_call', id: 'fc', call_id: 'a', name: 'read', arguments: '{"path":"x"}' },
      { type: 'function_call', call_id: 'b', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'found' },
      { type: 'function_call_output', call_id: 'b', output: 'found' },
    ] as never)
    expect(messages).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } },
          { type: 'tool-call', toolCallId: 'b' },
        ],
      },
      { role: 'tool', content: [{ toolCallId: 'a', toolName: 'read' }] },
      { role: 'tool', content: [{ toolCallId: 'b' }] },
    ])
  })

  test.each([
    ['input[0]', [{ role: 'robot', content: 'x' }]],
    ['input[0]', [{ role: 'user' }]],
    ['input[0].depth', [{ type: 'hologram', depth: Number.NaN }]],
  ])('what cannot be kept is refused at %s', (place, input) => {
    expect(() => fromInputItems(input as never)).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place }),
    )
  })

  test.each<[string, Message]>([
    ['reasoning', { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }],
    ['audio', { role: 'user', content: [{ type: 'file', data: 'AA', mediaType: 'audio/wav' }] }],
  ])('what the API cannot say is refused, and where: %s', (_, message) => {
    expect(() => toInputItems([message])).toThrow(
      expect.objectContaining({ code: 'MESSAGE_CONVERSION', place: 'messages[0].content[0]' }),
    )
  })
})

import { describe, expect, expectTypeOf, test } from 'vitest'
import { compactMessages } from '../../session/once/compact-messages.ts'
import { toModelMessages } from './model-messages.ts'
import type { ModelMessage } from 'ai'
import type { Message, ToolOutputPart } from '../../log/message.ts'

/** A type with everything that we leave open narrowed to what fits anywhere. */
type Closed<Type> = unknown extends Type
  ? never
  : Type extends ToolOutputPart
    ? never
    : Type extends readonly (infer Item)[]
      ? Closed<Item>[]
      : Type extends object
        ? { [Key in keyof Type]: Closed<Type[Key]> }
        : Type

describe('our message and the SDK’s', () => {
  test('every message of the SDK is one of ours', () => {
    expectTypeOf<ModelMessage>().toExtend<Message>()
    expectTypeOf<Extract<ModelMessage, { role: 'tool' }>>().toExtend<
      Extract<Message, { role: 'tool' }>
    >()
  })

  test('ours is one of the SDK’s, but for what we leave open', () => {
    expectTypeOf<Closed<Message>>().toExtend<ModelMessage>()
    expectTypeOf<Message>().not.toExtend<ModelMessage>()
  })

  test('compacting an array gives back the type that it was given', async () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'hello' }]
    const compacted = await compactMessages(messages, { window: { context: 200_000 } })
    expectTypeOf(compacted.messages).toEqualTypeOf<ModelMessage[]>()
    expect(compacted.messages).toEqual(messages)
  })

  test('a round trip through the SDK’s shape changes nothing', () => {
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { a: { signature: 's' } } },
          { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: { path: 'a' } },
        ],
        providerOptions: { a: { cache: true } },
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'read',
            output: { type: 'text', value: 'x' },
          },
        ],
      },
    ]
    expect(toModelMessages(messages)).toEqual({ system: [], messages })
  })
})

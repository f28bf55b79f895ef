import { describe, expect, it, test } from 'vitest'
import { messageKeys } from './message-keys.ts'
import type { AssistantPart, Message, ToolMessage, UserPart } from '../log/message.ts'

const keyOf = (message: Message): number | undefined => messageKeys(message)[0]?.key
const user = (part: UserPart): Message => ({ role: 'user', content: [part] })
const ofMedium = (data: unknown): number | undefined =>
  keyOf(user({ type: 'file', mediaType: 'image/png', data } as UserPart))

const bytes = new Uint8Array([104, 101, 108, 108, 111])
const hello = 'aGVsbG8='

describe('a medium says the same', () => {
  test.each([
    ['as bytes', bytes],
    ['as a part of other bytes', new Uint8Array([0, ...bytes, 0]).subarray(1, 6)],
    ['as a buffer', bytes.buffer.slice(0)],
    ['as a data URL', `data:image/png;base64,${hello}`],
    ['as the address of its data', new URL(`data:image/png;base64,${hello}`)],
    ['in an object of its kind', { type: 'data', data: hello }],
    ['as bytes in an object of their kind', { type: 'data', data: bytes }],
    [
      'as an address in an object of its kind',
      { type: 'url', url: `data:image/png;base64,${hello}` },
    ],
  ])('%s', (_, data) => {
    expect(ofMedium(data)).toBe(ofMedium(hello))
    expect(ofMedium(data)).not.toBe(ofMedium('aGVsbG9v'))
  })

  it('as an image and as a file, and at an address however that is given', () => {
    expect(keyOf(user({ type: 'image', image: hello }))).toBe(ofMedium(hello))
    const address = 'https://example.com/a.png'
    expect(ofMedium(new URL(address))).toBe(ofMedium(address))
    expect(ofMedium({ type: 'url', url: address })).toBe(ofMedium(address))
    expect(ofMedium(address)).not.toBe(ofMedium('https://example.com/b.png'))
  })

  it('by the name that a provider has for it, and by no other', () => {
    const named = (id: string): unknown => ({ type: 'reference', reference: { openai: id } })
    expect(ofMedium(named('file-1'))).toBe(ofMedium(named('file-1')))
    expect(ofMedium(named('file-1'))).not.toBe(ofMedium(named('file-2')))
  })
})

describe('a step says the same', () => {
  const result = (output: unknown): number | undefined =>
    keyOf({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'x', output }],
    } as ToolMessage)

  it('whatever a user interface shows of a failure, but not where the call did not fail', () => {
    const failed = result({ type: 'error-text', value: 'no such file: /home/me/a.ts' })
    expect(result({ type: 'error-json', value: { error: 'hidden' } })).toBe(failed)
    expect(result({ type: 'execution-denied', reason: 'no' })).toBe(failed)
    expect(result({ type: 'text', value: 'no such file: /home/me/a.ts' })).not.toBe(failed)
    expect(result({ type: 'text', value: 'a' })).not.toBe(result({ type: 'text', value: 'b' }))
  })

  it('whatever the order of the fields of its input, and where it went through JSON', () => {
    const call = (input: unknown): number | undefined =>
      keyOf({
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'x', input }],
      })
    const given = { path: 'a.ts', at: new Date(0), lines: [1, undefined, NaN], more: undefined }
    expect(call(JSON.parse(JSON.stringify(given)))).toBe(call(given))
    expect(call({ b: 1, a: 2 })).toBe(call({ a: 2, b: 1 }))
    expect(call({ a: 1, b: 2 })).not.toBe(call({ a: 2, b: 1 }))
  })

  it('only with the same answer of a human to the same question', () => {
    const answer = (approvalId: string, approved: boolean): number | undefined =>
      keyOf({
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId, approved }],
      } as ToolMessage)
    expect(answer('a', true)).toBe(answer('a', true))
    expect(answer('a', true)).not.toBe(answer('a', false))
    expect(answer('a', true)).not.toBe(answer('b', true))
    const question = (approvalId: string): number | undefined =>
      keyOf({
        role: 'assistant',
        content: [{ type: 'tool-approval-request', approvalId, toolCallId: 'c' } as AssistantPart],
      })
    expect(question('a')).not.toBe(question('b'))
  })

  it('with reasoning or without, whatever is only for the provider', () => {
    const said = (part: AssistantPart) => messageKeys({ role: 'assistant', content: [part] })
    const [reasoning] = said({ type: 'reasoning', text: 'hm' })
    expect(reasoning?.optional).toBe(true)
    expect(said({ type: 'reasoning-file', data: hello, mediaType: 'image/png' })[0]).toMatchObject({
      optional: true,
    })
    expect(said({ type: 'text', text: 'hi', providerOptions: { a: { b: 1 } } })).toEqual(
      messageKeys({ role: 'assistant', content: 'hi' }),
    )
    expect(messageKeys({ role: 'assistant', content: 'hi' })[0]?.optional).toBe(false)
    expect(messageKeys({ role: 'assistant', content: '' })[0]?.optional).toBe(true)
  })
})

it('a message that has grown, or whose content was replaced, is read again', () => {
  const content: UserPart[] = [{ type: 'text', text: 'one' }]
  const message = { role: 'user' as const, content }
  expect(messageKeys(message)).toHaveLength(1)
  content.push({ type: 'text', text: 'two' })
  expect(messageKeys(message)).toHaveLength(2)
  message.content = [{ type: 'text', text: 'three' }]
  expect(messageKeys(message)).toEqual(messageKeys({ role: 'user', content: 'three' }))
})

import { expect, test } from 'vitest'
import { checkCalls } from './check-calls.ts'
import type { Message } from '../../log/message.ts'

const call = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'look', input: {} }],
})
const result = (id: string): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'look', output: { type: 'text', value: '' } },
  ],
})

test('what was checked before is not looked at again', () => {
  let looks = 0
  const watched = (message: Message): Message =>
    new Proxy(message, {
      get: (all, key, receiver) => {
        if (key === 'content') looks += 1
        return Reflect.get(all, key, receiver)
      },
    })
  const messages = ['a', 'b', 'c'].flatMap((id) => [watched(call(id)), watched(result(id))])
  const checked = checkCalls(messages, 'messages')
  expect(looks).toBe(6)
  const more = [...messages, watched(call('d')), watched(result('d'))]
  checkCalls(more, 'messages', checked)
  expect(looks).toBe(8)
})

test('a call that was taken back is no call, also after a refusal', () => {
  const begun = [call('a'), result('a')]
  const checked = checkCalls(begun, 'messages')
  expect(() => checkCalls([...begun, call('b'), result('x')], 'messages', checked)).toThrow(
    'does not come before it',
  )
  expect(() => checkCalls([...begun, result('b')], 'messages', checked)).toThrow(
    'does not come before it',
  )
  const further = checkCalls([...begun, call('b')], 'messages', checked)
  expect(() => checkCalls([call('c'), result('a')], 'messages', further)).toThrow(
    'does not come before it',
  )
  expect(() => checkCalls([...begun, call('b'), result('b')], 'messages', further)).not.toThrow()
})

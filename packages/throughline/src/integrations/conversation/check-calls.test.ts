import { expect, test } from 'vitest'
import { callChecker } from './check-calls.ts'
import { partsOf, type AssistantPart, type Message } from '../../log/message.ts'

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

test('a result stands behind its call, in whatever message', () => {
  const begun = [call('a'), result('a')]
  expect(() => callChecker()([...begun, call('b'), call('c'), result('b')])).not.toThrow()
  for (const orphan of [[result('b')], [call('b'), result('x')], [result('b'), call('b')]]) {
    expect(() => callChecker()([...begun, ...orphan])).toThrow('does not come before it')
  }
})

/** A message that counts how often its content is read. */
function counted({ role, content }: Message, count: () => void): Message {
  return {
    role,
    get content() {
      count()
      return content
    },
  } as Message
}

test('only messages behind those that were checked are read', () => {
  const check = callChecker()
  let read = 0
  const begun = [call('a'), result('a'), call('b')].map((one) => counted(one, () => (read += 1)))
  check(begun)
  read = 0
  check([...begun, result('b')])
  expect(read).toBe(0)
})

test('a call that is gone, or was refused with its message, answers for no result', () => {
  const check = callChecker()
  const begun = [call('a'), result('a')]
  check([...begun, call('b'), call('c')])
  expect(() => check([...begun, call('c'), result('b')])).toThrow('"b"')
  const mixed: Message = {
    role: 'assistant',
    content: [...partsOf(call('d')), ...partsOf(result('x'))] as AssistantPart[],
  }
  expect(() => check([...begun, mixed])).toThrow('"x"')
  expect(() => check([...begun, result('d')])).toThrow('"d"')
  expect(() => check([...begun, call('d'), result('d')])).not.toThrow()
})

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

test('a result stands behind its call, in whatever message', () => {
  const begun = [call('a'), result('a')]
  expect(() => checkCalls([...begun, call('b'), call('c'), result('b')], 'messages')).not.toThrow()
  for (const orphan of [[result('b')], [call('b'), result('x')], [result('b'), call('b')]]) {
    expect(() => checkCalls([...begun, ...orphan], 'messages')).toThrow('does not come before it')
  }
})

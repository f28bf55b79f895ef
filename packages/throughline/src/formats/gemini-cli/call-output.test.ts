import { expect, test } from 'vitest'
import { callOutput } from './reader.ts'

test('a call whose record has the responses to all calls of its step has its own', () => {
  const response = (id: string): Record<string, unknown> => ({
    functionResponse: { id, name: 'read_file', response: { output: `what ${id} gave` } },
  })
  const record = (id: string): Record<string, unknown> => ({
    id,
    status: 'success',
    result: [response('a'), response('b'), response('c')],
  })
  for (const id of ['a', 'b', 'c']) {
    expect(callOutput(record(id))).toEqual({ type: 'text', value: `what ${id} gave` })
  }
})

import { expect, test } from 'vitest'
import { logOf, draftsOf } from '../testing/conformance/format-conformance.ts'
import { anthropic } from '../formats/anthropic/format.ts'
import { openaiResponses } from '../formats/openai-responses/format.ts'

/** No primitive can be made of it. */
const odd = { toString: false }

test('a block whose type is an object is read without an error', () => {
  const content = [{ type: odd, id: 'c1', name: 'read', text: 'x' }]
  const records = [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content },
  ]
  expect(logOf(draftsOf(anthropic, records))).not.toEqual([])
})

test('an item whose type is an object is read without an error', () => {
  const records = [
    { role: 'user', content: 'Read it.' },
    { type: odd, call_id: 'c1', name: 'read' },
  ]
  expect(logOf(draftsOf(openaiResponses, records))).not.toEqual([])
})

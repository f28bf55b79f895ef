import { expect, it } from 'vitest'
import { withoutCacheMarks } from './spliced.ts'

const cache_control = { type: 'ephemeral' }

it('no mark of the cache stays on a message, its blocks, and the blocks of a result', () => {
  const message = {
    role: 'user',
    cache_control,
    content: [
      { type: 'text', text: 'Read.', cache_control },
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'text', text: 'part 1', cache_control }],
      },
    ],
  }
  expect(withoutCacheMarks(message)).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'Read.' },
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'part 1' }] },
    ],
  })
})

it('what a tool was given stays as it is, and so does a message without marks', () => {
  const input = { cache_control: 'no-store', content: [{ cache_control }] }
  const message = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', input }] }
  expect(withoutCacheMarks(message)).toBe(message)
  const plain = { role: 'user', content: 'Set "cache_control" in it.' }
  expect(withoutCacheMarks(plain)).toBe(plain)
})

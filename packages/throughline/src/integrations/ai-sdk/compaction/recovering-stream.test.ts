import { expect, test } from 'vitest'
import { recoveringStream } from './recovering-stream.ts'

test('a stream that cannot be recovered from is let go of', async () => {
  let cancelled: unknown
  const refused = new ReadableStream({
    start: (controller) => controller.enqueue({ type: 'error', error: 'too long' }),
    cancel: (reason) => {
      cancelled = reason
    },
  })
  const nothing = new Error('nothing to compact')
  const stream = recoveringStream(refused, async () => Promise.reject(nothing))
  await expect(stream.getReader().read()).rejects.toBe(nothing)
  expect(cancelled).toBe(nothing)
})

import { expect, test } from 'vitest'
import { recoveringStream } from './recovering-middleware.ts'

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

test.each([
  [{ type: 'custom', kind: 'anthropic.message_start' }],
  [
    { type: 'text-start', id: 'a' },
    { type: 'text-delta', id: 'a', delta: '' },
  ],
  [{ type: 'reasoning-start', id: 'a' }],
] as const)(
  'what is said before any content is not heard where the answer is another: %j',
  async (...parts) => {
    const stream = (all: readonly object[]) =>
      new ReadableStream({
        start: (controller) => {
          for (const part of all) controller.enqueue(part)
          controller.close()
        },
      })
    const answer = [
      { type: 'custom', kind: 'anthropic.message_start' },
      { type: 'text-delta', id: 'b', delta: 'Hi.' },
    ]
    const begun = stream([
      { type: 'stream-start', warnings: [] },
      ...parts,
      { type: 'error', error: 'too long' },
    ])
    const heard: unknown[] = []
    for await (const part of recoveringStream(begun, async () => stream(answer))) heard.push(part)
    expect(heard).toEqual(answer)
  },
)

import { expect, test } from 'vitest'
import { abortable } from './abortable.ts'

test('what is given up at once may fail later, and nobody has to hear it', async () => {
  const unheard: unknown[] = []
  const listener = (reason: unknown): void => void unheard.push(reason)
  process.on('unhandledRejection', listener)
  try {
    const late = Promise.reject(new Error('too late'))
    const reason = new Error('not wanted any more')
    await expect(abortable(late, AbortSignal.abort(reason))).rejects.toBe(reason)
    await new Promise((resolve) => setTimeout(resolve))
    expect(unheard).toEqual([])
  } finally {
    process.off('unhandledRejection', listener)
  }
})

test('an abort is heard while something is waited for', async () => {
  const controller = new AbortController()
  const waiting = abortable(new Promise(() => {}), controller.signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

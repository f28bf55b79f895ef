import { expect, it } from 'vitest'
import { InterruptedError } from '../errors.ts'
import { takeTurn, takingTurns } from './turn.ts'

it('hears a Ctrl-C that came while work was done', async () => {
  const controller = new AbortController()
  await takeTurn(controller)
  setImmediate(() => controller.abort())
  await expect(takeTurn(controller)).rejects.toThrow(InterruptedError)
})

it('hears a Ctrl-C between two chunks', async () => {
  const controller = new AbortController()
  async function* chunks(): AsyncGenerator<number> {
    for (let chunk = 1; ; chunk++) yield chunk
  }
  const taken: number[] = []
  const read = async (): Promise<void> => {
    for await (const chunk of takingTurns(chunks(), controller)) {
      taken.push(chunk)
      if (chunk === 2) controller.abort()
    }
  }
  await expect(read()).rejects.toThrow(InterruptedError)
  expect(taken).toEqual([1, 2])
})

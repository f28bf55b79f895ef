import { expect, test } from 'vitest'
import { timeSlices } from './pause.ts'

/** Some work: its result depends on all of it. */
function work(): number {
  let sum = 0
  for (let at = 0; at < 200_000; at++) sum = (sum * 31 + at) % 65_537
  return sum
}

test('long work that is divided gives everybody else their turn', async () => {
  const turns: string[] = []
  setImmediate(() => turns.push('mine'))
  const turn = timeSlices()
  for (let piece = 0; piece < 2_000 && turns.length === 0; piece++) {
    expect(work()).toBeGreaterThanOrEqual(0)
    await turn()
  }
  expect(turns).toEqual(['mine'])
})

test('divided work ends with the reason why it was stopped', () => {
  const turn = timeSlices(AbortSignal.abort(new Error('Stopped.')))
  expect(turn).toThrow('Stopped.')
})

import { expect, test } from 'vitest'
import { ending, sideBySide } from './side-by-side.ts'

test('the same loop stops alone, and does the whole task with Throughline', async () => {
  const drawn: string[] = []
  const result = await sideBySide({
    files: 25,
    onProgress: (alone, fitted) => drawn.push(`${alone.step} ${fitted.step}`),
  })
  const { alone, fitted, window, steps, largest, problems } = result
  expect(alone.stopped).toContain('maximum context length')
  expect(alone.step).toBeLessThan(steps)
  expect(fitted).toMatchObject({ step: steps, isDone: true })
  expect(fitted.compactions).toBeGreaterThan(1)
  expect(largest).toBeLessThan(window)
  expect(problems).toEqual([])
  expect(drawn.length).toBeGreaterThan(steps)
  const told = ending(result)
  expect(told).toContain('Every file is as the human asked')
  expect(told).toContain('Never change anything in src/acquired.')
})

import { expect, test } from 'vitest'
import { wireText } from './estimate.ts'

test('a value reads as its JSON, and what JSON cannot hold is left out', () => {
  expect(wireText({ path: 'src/index.ts', limit: 10n })).toBe('{"path":"src/index.ts","limit":10}')
  expect(wireText(undefined)).toBe('')
  expect(wireText({ data: new Uint8Array(3) })).toBe('{"data":"3 bytes"}')
  const cycle: unknown[] = [1]
  cycle.push(cycle)
  expect(wireText(cycle)).toBe('[1,null]')
})

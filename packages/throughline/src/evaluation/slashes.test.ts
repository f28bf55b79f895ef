import { expect, test } from 'vitest'
import { withSlashes } from './slashes.ts'

test('paths of a Windows session are compared with slashes, and no other text is changed', () => {
  expect(withSlashes('C:\\code\\src\\a.ts', ['C:/code'])).toBe('C:/code/src/a.ts')
  expect(withSlashes('say \\n', ['/code'])).toBe('say \\n')
})

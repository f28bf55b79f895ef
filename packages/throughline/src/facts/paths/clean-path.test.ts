import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanPath, isAbsolute, joinPath, relativeTo } from './clean-path.ts'

test.each([
  ['./src//a.ts', 'src/a.ts'],
  ['src/../lib/./a.ts', 'lib/a.ts'],
  ['../a.ts', '../a.ts'],
  ['/a/../../b', '/b'],
  ['/a/b/', '/a/b'],
  ['.', '.'],
  ['C:\\Users\\a\\..\\b.ts', 'C:/Users/b.ts'],
  ['docs\\a.md', 'docs/a.md'],
  ['routes/$id/[slug]/(x).tsx', 'routes/$id/[slug]/(x).tsx'],
  ['file:///a/b.ts', '/a/b.ts'],
  ['a\nb', undefined],
  ['https://a/b', undefined],
  ['', undefined],
  ['x'.repeat(2_000), undefined],
])('%j is %j', (path, clean) => {
  expect(cleanPath(path)).toBe(clean)
})

test('a path is relative to the directory that it is in, and to no other', () => {
  expect(relativeTo('/a/b', '/a/b/c.ts')).toBe('c.ts')
  expect(relativeTo('/a/b', '/a/bc/d.ts')).toBe('/a/bc/d.ts')
  expect(relativeTo('/a/b', '/a/b')).toBe('.')
  expect(relativeTo('C:/git/x', 'c:/git/x/a.ts')).toBe('a.ts')
  expect(relativeTo('', '/a')).toBe('/a')
})

test('cleaning twice is cleaning once, and joining stays inside of what is absolute', () => {
  const path = fc.string({
    unit: fc.constantFrom('a', '.', '/', '\\', ':', 'C', '-', '~'),
    maxLength: 30,
  })
  fc.assert(
    fc.property(path, (text) => {
      const clean = cleanPath(text)
      if (clean === undefined) return
      expect(cleanPath(clean)).toBe(clean)
      expect(isAbsolute(joinPath('/root', clean))).toBe(true)
    }),
  )
})

import { expect, test } from 'vitest'
import { answers, calls, handMade, human, says } from './testing/hand-made.ts'
import { forwardNeedOf, heldOf, neededAfter, genericIdentifiers } from './forward-need.ts'

const before = [
  human('Fix parseHeader in src/parser.ts, see docs/format.md'),
  calls('Read', { file_path: '/home/me/here/src/parser.ts' }),
  answers('export function readSection() { return fooBarBaz }'),
]
const cut = { size: 0, length: before.length }

test('needed is what was known before and is used in a call before it is seen again', () => {
  const session = handMade([
    ...before,
    says('I will look at readSection.'),
    calls('Grep', { pattern: 'readSection|fooBarBaz', path: 'src/unheard.ts' }),
    answers('docs/format.md'),
    calls('Edit', { file_path: './src/parser.ts', new_string: 'see docs/format.md' }),
  ])
  expect(neededAfter(session, cut)).toEqual(new Set(['fooBarBaz', 'src/parser.ts']))
})

test('generic identifiers do not count', () => {
  const session = handMade([...before, calls('Grep', { pattern: 'fooBarBaz readSection' })])
  expect(neededAfter(session, cut, new Set(['fooBarBaz']))).toEqual(new Set(['readSection']))
})

test('only the next forty calls count', () => {
  const other = Array.from({ length: 39 }, () => calls('Bash', { command: 'ls' }))
  const inside = handMade([...before, ...other, calls('Grep', { pattern: 'fooBarBaz' })])
  const outside = handMade([
    ...before,
    ...other,
    ...other.slice(0, 1),
    calls('Grep', { pattern: 'fooBarBaz' }),
  ])
  expect(neededAfter(inside, cut)).toEqual(new Set(['fooBarBaz']))
  expect(neededAfter(outside, cut)).toEqual(new Set())
})

test('a tool input is read as its decoded strings', () => {
  const session = handMade([...before, calls('Bash', { command: 'a\nfooBarBaz\n"src/parser.ts"' })])
  expect(neededAfter(session, cut)).toEqual(new Set(['fooBarBaz', 'src/parser.ts']))
})

test('a compactor that drops a fact holds one less', () => {
  const needed = new Set(['fooBarBaz', 'src/parser.ts'])
  const directories = ['/home/me/here']
  expect(heldOf(needed, 'fooBarBaz in /home/me/here/src/parser.ts', directories)).toBe(2)
  expect(heldOf(needed, 'fooBarBazQux in src/parser.ts', directories)).toBe(1)
  expect(heldOf(needed, 'lib/src/parser.ts', directories)).toBe(0)
})

test('the figure is the mean over repositories of the pooled share, of cuts with ten or more', () => {
  const at = (repository: string, needed: number, held: number) => ({
    session: repository,
    repository,
    size: 0,
    needed,
    held,
  })
  const figure = forwardNeedOf([at('a', 10, 10), at('a', 30, 10), at('b', 10, 0), at('b', 9, 9)])
  expect(figure.mean).toBe((20 / 40 + 0) / 2)
  expect(figure).toMatchObject({ cuts: 3, repositories: 2, worst: at('b', 10, 0) })
})

test('identifiers of three repositories are generic, paths never', () => {
  const session = (repository: string) =>
    handMade([human('context.Background docs/readme.md onlyHere')], { repository })
  const twice = [session('a'), session('a'), session('b')]
  expect(genericIdentifiers(twice)).toEqual(new Set())
  expect(genericIdentifiers([...twice, session('c')])).toEqual(
    new Set(['context.Background', 'onlyHere']),
  )
})

import { expect, test } from 'vitest'
import { termsOf, Vocabulary } from './terms.ts'

test('the terms of a text are its names, its numbers and its words without their endings', () => {
  expect(termsOf('Drawing its 2 pages: src/a.ts draws them, and it drew v2.1.')).toEqual([
    'draw',
    '2',
    'pag',
    'src/a.ts',
    'them',
    'drew',
    'v2.1',
  ])
  expect(termsOf('漢字列')).toEqual(['漢字', '字列'])
})

test('a vocabulary gives each term one number, whatever text it stands in', () => {
  const vocabulary = new Vocabulary()
  expect(vocabulary.read('The writer locks the index.')).toEqual([0, 1, 2])
  expect(vocabulary.read('An index is locked.')).toEqual([2, 1])
  expect(vocabulary.known('Nobody wrote the index.')).toEqual([2])
  expect(vocabulary.size).toBe(3)
})

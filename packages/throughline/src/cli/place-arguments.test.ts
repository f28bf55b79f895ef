import { describe, expect, it } from 'vitest'
import { argument, restOf, type ArgumentSpec } from './command.ts'
import { placeArguments, shownArgument } from './place-arguments.ts'

const session = { name: 'session', give: 'its name' }
const words = { name: 'words', give: 'words to look for', rest: true } as const
const pick = { name: 'pin', give: 'its number', optional: true } as const

const place = (specs: readonly ArgumentSpec[], given: readonly string[]) => ({
  arguments: placeArguments({ name: 'recall', arguments: specs }, given, (text) => new Error(text)),
})

describe('placeArguments', () => {
  it('gives each argument its word, and the last one the rest', () => {
    const parsed = place([session, words], ['a', 'failing', 'tests'])
    expect(argument(parsed, 'session')).toBe('a')
    expect(restOf(parsed, 'words')).toEqual(['failing', 'tests'])
  })

  it('lets those be left out that may be', () => {
    expect([...place([], []).arguments]).toEqual([])
    expect(argument(place([session, pick], ['a']), 'pin')).toBe('')
    expect(restOf(place([{ ...words, optional: true }], []), 'words')).toEqual([])
  })

  it.each([
    [[session, words], [], 'which session? Give its name'],
    [[session, words], ['a'], 'which words? Give words to look for'],
    [[session, words], ['a', 'b', ''], 'which words? Give words to look for'],
    [[session, pick], ['a', ''], 'which pin? Give its number'],
    [[], ['a'], 'recall takes no arguments; "a" is one more'],
    [[session], ['a', 'b'], 'one session at a time, please; "b" is one more'],
    [
      [session, pick],
      ['a', 'b', 'c'],
      'recall takes <session> [pin] and no more; put quotes around words that belong together; "c" is one more',
    ],
  ])('of %j says for %j: %s', (specs, given, message) => {
    expect(() => place(specs, given)).toThrow(message)
  })
})

it('shows an argument as the usage line has it', () => {
  expect([session, words, pick, { ...words, optional: true as const }].map(shownArgument)).toEqual([
    '<session>',
    '<words>...',
    '[pin]',
    '[words]...',
  ])
})

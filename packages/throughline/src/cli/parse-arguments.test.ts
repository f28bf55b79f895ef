import { describe, expect, it } from 'vitest'
import { argument, restOf, type ArgumentSpec } from './command.ts'
import { UsageError } from './errors.ts'
import { sessionArgument } from './shared-options.ts'
import { oneOf, parseArguments, placeArguments, shownArgument } from './parse-arguments.ts'

const command = {
  name: 'compact',
  arguments: [sessionArgument],
  options: { '--window TOKENS': '', '-o, --output FILE': '', '--json': '' },
}

describe('parseArguments', () => {
  it('takes options before, behind and joined to their values', () => {
    const parsed = parseArguments(command, ['--window=32k', 'a.jsonl', '-o', 'x', '--json'])
    expect(parsed).toEqual({
      arguments: new Map([['session', ['a.jsonl']]]),
      values: new Map([
        ['window', '32k'],
        ['output', 'x'],
      ]),
      flags: new Set(['json']),
    })
  })

  it('takes - for standard input and what follows -- for a path', () => {
    const sessionIn = (argv: readonly string[]) => {
      const parsed = parseArguments(command, argv)
      return parsed === 'help' ? parsed : argument(parsed, 'session')
    }
    expect(sessionIn(['-'])).toBe('-')
    expect(sessionIn(['--', '--json'])).toBe('--json')
  })

  it('asks for help wherever it is asked for', () => {
    expect(parseArguments(command, ['a', '--json', '--nonsense', '--help'])).toBe('help')
    expect(parseArguments(command, ['-h'])).toBe('help')
  })

  it.each([
    [['a', '--widnow', '3'], 'unknown option --widnow; did you mean --window? See'],
    [['a', '--zzzzzzz'], 'unknown option --zzzzzzz. See'],
    [['a', '-x'], 'unknown option -x. See'],
    [['a', '--window'], '--window needs a value: --window TOKENS'],
    [['a', '--window', '--json'], '--window needs a value'],
    [['a', '--window='], '--window needs a value'],
    [['a', '--json=yes'], '--json takes no value'],
    [[], 'which session?'],
    [[''], 'which session?'],
    [['a', 'b'], 'only one session at a time; "b" is too many'],
  ])('says of %j what is wrong', (argv, message) => {
    expect(() => parseArguments(command, argv)).toThrow(UsageError)
    expect(() => parseArguments(command, argv)).toThrow(message)
  })
})

describe('oneOf', () => {
  it('takes the first word where none is given, and names the one that was meant', () => {
    expect(oneOf('compact', 'format', undefined, ['text', 'markdown'])).toBe('text')
    expect(oneOf('compact', 'format', 'markdown', ['text', 'markdown'])).toBe('markdown')
    expect(() => oneOf('compact', 'format', 'markdwon', ['text', 'markdown'])).toThrow(
      '--format must be one of text, markdown, not "markdwon"; did you mean markdown?',
    )
  })
})

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
    [[], ['a'], 'recall takes no arguments; "a" is too many'],
    [[session], ['a', 'b'], 'only one session at a time; "b" is too many'],
    [
      [session, pick],
      ['a', 'b', 'c'],
      'recall takes <session> [pin] and no more; put quotes around words that belong together; "c" is too many',
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

import { describe, expect, it } from 'vitest'
import { argument } from './command.ts'
import { UsageError } from './errors.ts'
import { sessionArgument } from './session-argument.ts'
import { oneOf, parseArguments } from './parse-arguments.ts'

const command = {
  name: 'compact',
  arguments: [sessionArgument],
  options: [
    { name: 'window', value: 'TOKENS', help: '' },
    { name: 'output', short: 'o', value: 'FILE', help: '' },
    { name: 'json', help: '' },
  ],
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
    [['a', 'b'], 'one session at a time, please; "b" is one more'],
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
      '--format is one of text, markdown, not "markdwon"; did you mean markdown?',
    )
  })
})

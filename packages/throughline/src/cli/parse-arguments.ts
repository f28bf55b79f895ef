import { UsageError } from './errors.ts'
import { nearest } from '../config/nearest.ts'
import {
  optionsIn,
  type ArgumentSpec,
  type Command,
  type OptionSpec,
  type ParsedArguments,
} from './command.ts'

// An import would load everything that this module of Node exports, which a status line would wait for.
const { parseArgs } = process.getBuiltinModule('node:util')

/**
 * Parses the arguments of a subcommand; `help` if help is requested anywhere.
 * @throws UsageError that says what is wrong and what was probably meant.
 */
export function parseArguments(
  command: Pick<Command, 'name' | 'arguments' | 'options'>,
  argv: readonly string[],
): ParsedArguments | 'help' {
  const options = optionsIn(command.options)
  const tokens = tokensOf(options, argv)
  if (tokens.some((token) => token.kind === 'option' && token.name === 'help')) return 'help'
  const values = new Map<string, string>()
  const flags = new Set<string>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = options.find(({ name }) => name === token.name)
    if (!option) throw unknownOption(command.name, options, token.rawName)
    if (option.value === undefined) flags.add(flagOf(token, command.name))
    else values.set(option.name, valueOf(token, option, command.name))
  }
  const placed = placeArguments(command, positionals, (message) => usage(command.name, message))
  return { arguments: placed, values, flags }
}

function tokensOf(options: readonly OptionSpec[], argv: readonly string[]) {
  const config = Object.fromEntries(
    options.map(({ name, short, value }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short !== undefined && { short }),
      },
    ]),
  )
  const help = { help: { type: 'boolean', short: 'h' } } as const
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...config, ...help },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return tokens
}

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: 'option' }>

function flagOf({ name, rawName, value }: OptionToken, command: string): string {
  if (value !== undefined) throw usage(command, `${rawName} takes no value`)
  return name
}

function valueOf(
  { rawName, value, inlineValue }: OptionToken,
  option: OptionSpec,
  command: string,
): string {
  const missing = value === undefined || value === '' || (!inlineValue && /^--?[a-z]/i.test(value))
  if (missing) throw usage(command, `${rawName} needs a value: ${rawName} ${option.value ?? ''}`)
  return value
}

function unknownOption(
  command: string,
  options: readonly OptionSpec[],
  rawName: string,
): UsageError {
  const known = [...options.map(({ name }) => name), 'help']
  const hint = meantHint(rawName.replace(/^-+/, ''), known, '--')
  return usage(command, `unknown option ${rawName}${hint}`)
}

/** What was probably meant, as the end of a message; empty if nothing is close enough. */
export function meantHint(word: string, names: readonly string[], mark = ''): string {
  const meant = nearest(word, names)
  return meant === undefined ? '' : `; did you mean ${mark}${meant}?`
}

/** A usage error that says where to find help. */
export function usage(command: string, message: string): UsageError {
  const end = /[?.]$/.test(message) ? '' : '.'
  return new UsageError(`${message}${end} See: throughline ${command} --help`)
}

/** The value of an option that takes one of a few words. */
export function oneOf<Word extends string>(
  command: string,
  option: string,
  value: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  if (value === undefined) return words[0]
  const word = words.find((each) => each === value)
  if (word !== undefined) return word
  throw notOneOf(command, `--${option}`, value, words)
}

/** The error for a word that is none of a few; `also` are words that mean one of them, too. */
export function notOneOf(
  command: string,
  what: string,
  word: string,
  words: readonly string[],
  { more = '', also = [] }: { more?: string; also?: readonly string[] } = {},
): UsageError {
  const shown = JSON.stringify(word.slice(0, 60))
  return usage(
    command,
    `${what} must be one of ${words.join(', ')}${more}, not ${shown}${meantHint(word, [...words, ...also])}`,
  )
}

/**
 * The value of an option that takes a whole number.
 * @throws UsageError
 */
export function countOption(
  command: string,
  option: string,
  { values }: Pick<ParsedArguments, 'values'>,
  { usual, least = 1, most }: { usual: number; least?: number; most?: number },
): number {
  const value = values.get(option)
  if (value === undefined) return usual
  const count = /^\d{1,15}$/.test(value) ? Number(value) : NaN
  if (count >= least && count <= (most ?? count)) return count
  const range = most === undefined ? `, ${least} or more` : ` from ${least} to ${most}`
  const shown = JSON.stringify(value.slice(0, 40))
  throw usage(command, `--${option} must be a whole number${range}, not ${shown}`)
}

/** Makes an error for the user about the words that a command was given. */
type Complaint = (message: string) => Error

/**
 * Assigns words to the arguments of a command.
 * @throws the error of `complaint` if an argument is missing or empty, or if there is a word too
 * many.
 */
export function placeArguments(
  command: Pick<Command, 'name' | 'arguments'>,
  words: readonly string[],
  complaint: Complaint,
): Map<string, readonly string[]> {
  const placed = new Map<string, readonly string[]>()
  let next = 0
  for (const spec of command.arguments) {
    const own = words.slice(next, spec.rest ? undefined : next + 1)
    if ((!spec.blank && own.includes('')) || (own.length === 0 && !spec.optional)) {
      throw complaint(`which ${spec.name}? Give ${spec.give}`)
    }
    if (own.length > 0) placed.set(spec.name, own)
    next += own.length
  }
  const tooMuch = words[next]
  if (tooMuch === undefined) return placed
  throw complaint(`${atMost(command)}; ${JSON.stringify(tooMuch)} is too many`)
}

function atMost({ name, arguments: specs }: Pick<Command, 'name' | 'arguments'>): string {
  const [first, ...others] = specs
  if (first === undefined) return `${name} takes no arguments`
  if (others.length === 0) return `only one ${first.name} at a time`
  return `${name} takes ${specs.map(shownArgument).join(' ')} and no more; put quotes around words that belong together`
}

export function shownArgument({ name, optional, rest }: ArgumentSpec): string {
  return (optional ? `[${name}]` : `<${name}>`) + (rest ? '...' : '')
}

import { harnesses as allHarnesses } from '../../formats/harnesses.ts'
import { nearest } from '../../config/nearest.ts'
import { configOptions } from '../config/options.ts'
import { harnessNamed, harnessWords } from '../found/harness-named.ts'
import { usage } from '../parse-arguments.ts'
import { jsonOption } from '../store/options.ts'
import { argument, type OptionSpec, type ParsedArguments } from '../command.ts'
import type { Harness } from '../../formats/writing/harness.ts'

const usualLimit = 20

export const listOptions: readonly OptionSpec[] = [
  {
    name: 'limit',
    short: 'n',
    value: 'N',
    help: `How many to show (default ${usualLimit}).`,
  },
  { name: 'all', help: 'Show all of them.' },
  jsonOption,
  ...configOptions,
]

/** What `list` was asked for. */
export interface ListSettings {
  harnesses: readonly Harness[]
  limit: number
}

/** @throws UsageError */
export function listSettings(parsed: ParsedArguments): ListSettings {
  const word = argument(parsed, 'harness')
  return { harnesses: word === '' ? allHarnesses : [harnessOf(word)], limit: limitOf(parsed) }
}

function harnessOf(word: string): Harness {
  const harness = harnessNamed(word)
  if (harness) return harness
  const words = harnessWords()
  const meant = nearest(word, [...words, ...allHarnesses.map(({ prefix }) => prefix)])
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw usage('list', `a harness is one of ${words.join(', ')}, not ${JSON.stringify(word)}${hint}`)
}

function limitOf({ values, flags }: ParsedArguments): number {
  const value = values.get('limit')
  if (flags.has('all') && value !== undefined) {
    throw usage('list', '--all shows all of them: leave out --limit')
  }
  if (flags.has('all')) return Infinity
  if (value === undefined) return usualLimit
  if (/^\d{1,6}$/.test(value) && Number(value) > 0) return Number(value)
  throw usage('list', `--limit takes a whole number from 1 on, not ${JSON.stringify(value)}`)
}

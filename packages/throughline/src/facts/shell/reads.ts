import { hasOption, operandsOf, pathsOf, type Invocation } from './invocation.ts'
import type { Word } from './script.ts'
import type { Effect } from '../lens.ts'

/** Programs that print the files they are given, and their options that take a value. */
const PRINTERS: Readonly<Record<string, readonly string[]>> = {
  cat: [],
  tac: [],
  nl: ['-b', '-w', '-s', '-v', '-i'],
  head: ['-n', '-c', '--lines', '--bytes'],
  tail: ['-n', '-c', '--lines', '--bytes'],
  less: [],
  more: [],
  bat: ['-r', '--line-range', '-l', '--language', '--style', '-H'],
  batcat: ['-r', '--line-range', '-l', '--language', '--style', '-H'],
  xxd: ['-l', '-s'],
  hexdump: ['-n', '-s'],
}
/** Programs whose first operand is a script or a pattern and whose others are files. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  jq: ['--arg', '--argjson', '--indent'],
  yq: [],
  awk: ['-F', '-v', '-f'],
}
const SEARCHERS: Readonly<Record<string, readonly string[]>> = {
  grep: ['-e', '-f', '-A', '-B', '-C', '-m', '--include', '--exclude', '--exclude-dir', '--color'],
  egrep: ['-e', '-A', '-B', '-C', '-m'],
  fgrep: ['-e', '-A', '-B', '-C', '-m'],
  rg: ['-e', '-g', '-t', '-T', '-A', '-B', '-C', '-m', '--glob', '--type', '--max-count', '-f'],
  ag: ['-A', '-B', '-C', '-G', '-m'],
  ack: ['-A', '-B', '-C', '-m'],
}

/** What a command reads. `next` is the command that its output is piped into. */
export function readsOf(invocation: Invocation, next: Invocation | undefined): Effect[] {
  const { program, args } = invocation
  const printer = own(PRINTERS, program)
  if (printer) {
    const range = program === 'head' ? headRange(args) : next && rangeOfSed(next)
    return reads(pathsOf(operandsOf(args, printer)), range)
  }
  if (program === 'sed') return sedReads(invocation)
  const filter = own(FILTERS, program)
  if (filter) {
    const operands = operandsOf(args, filter)
    return reads(pathsOf(hasOption(args, '-f') ? operands : operands.slice(1)))
  }
  const searcher = own(SEARCHERS, program)
  return searcher ? [search(args, searcher)] : []
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function reads(paths: readonly string[], range?: [number, number]): Effect[] {
  return paths.map((path) => ({ type: 'read', path, ...(range && { range }) }))
}

function sedReads({ args }: Invocation): Effect[] {
  if (editsInPlace(args)) return []
  const operands = operandsOf(args, ['-e', '-f', '--expression', '--file'])
  const scripted = hasOption(args, '-e', '-f', '--expression', '--file')
  const range = lineRange(scripted ? '' : (operands[0]?.text ?? ''))
  return reads(pathsOf(scripted ? operands : operands.slice(1)), range)
}

export function editsInPlace(args: readonly Word[]): boolean {
  return args.some(({ text }) => /^(-[a-zA-Z]*i|--in-place|-i.+)/.test(text))
}

function rangeOfSed({ program, args }: Invocation): [number, number] | undefined {
  if (program !== 'sed') return program === 'head' ? headRange(args) : undefined
  return lineRange(operandsOf(args)[0]?.text ?? '')
}

/** `12,40p` and `12p`. */
function lineRange(script: string): [number, number] | undefined {
  const match = /^(\d{1,7})(?:,(\d{1,7}))?p/.exec(script)
  return match ? [Number(match[1]), Number(match[2] ?? match[1])] : undefined
}

function headRange(args: readonly Word[]): [number, number] {
  const joined = args
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 80)
  const match = /(?:^| )(?:-n ?|--lines[= ]|-)(\d{1,7})\b/.exec(joined)
  return [1, match ? Number(match[1]) : 10]
}

function search(args: readonly Word[], valued: readonly string[]): Effect {
  const operands = operandsOf(args, valued)
  const patterned = hasOption(args, '-e')
  const words = patterned ? '' : (operands[0]?.text ?? '')
  const paths = pathsOf(patterned ? operands : operands.slice(1))
  const only =
    paths.length === 1 && /\.[A-Za-z0-9]{1,8}$/.test(paths[0] ?? '') ? paths[0] : undefined
  return { type: 'search', words, ...(only !== undefined && { path: only }) }
}

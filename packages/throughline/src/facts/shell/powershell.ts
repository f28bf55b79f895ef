import { intoTargets, type Invocation } from './invocation.ts'
import { cleanPath, isAbsolute, joinPath } from '../paths/clean-path.ts'
import { placeEffect } from './git-changes.ts'
import { purposeOf, headOf } from './purpose.ts'
import type { ShellCircumstances, ShellReading } from './read-shell.ts'
import type { Word } from './script.ts'
import type { CommandPurpose } from '../facts.ts'
import type { Effect } from '../lens.ts'

/** One command of a pipeline. */
interface Statement {
  words: Word[]
  writes: { target: Word; append: boolean }[]
  /** Number of the statement; the status is that of the last one. */
  list: number
}

const READERS = new Set(['get-content', 'gc', 'cat', 'type', 'import-csv'])
const WRITERS = new Set([
  'set-content',
  'sc',
  'out-file',
  'export-csv',
  'new-item',
  'ni',
  'tee-object',
])
const REMOVERS = new Set(['remove-item', 'ri', 'rm', 'del', 'erase', 'rd'])
const MOVERS = new Set(['move-item', 'mi', 'mv', 'move', 'rename-item', 'rni', 'ren'])
const COPIERS = new Set(['copy-item', 'cpi', 'cp', 'copy'])
const WEIGHT: Readonly<Record<CommandPurpose, number>> = { look: 0, act: 1, check: 2 }

/** What a PowerShell script did, as far as its own words say; like `readShell`. */
export function readPowershell(
  script: string,
  { directory, failed }: ShellCircumstances,
): ShellReading {
  const statements = readStatements(script)
  const last = statements.at(-1)?.list ?? 0
  const reading: ShellReading = { effects: [], purpose: 'look', head: '', entered: [], directory }
  for (const statement of statements) {
    weigh(reading, statement)
    if (failed && statement.list === last) continue
    if (entersDirectory(reading, statement)) continue
    for (const effect of effectsOf(statement)) {
      const placed = placeEffect(effect, reading.directory)
      if (placed) reading.effects.push(placed)
    }
  }
  return reading
}

const ENTERERS = new Set(['cd', 'chdir', 'sl', 'set-location', 'push-location', 'pushd'])

/** Follows `Set-Location`. What is relative to a directory that is expanded is not known. */
function entersDirectory(reading: ShellReading, { words }: Statement): boolean {
  const program = words[0]?.plain === true ? words[0].text.toLowerCase() : ''
  if (program === 'pop-location' || program === 'popd') {
    reading.directory = undefined
    return true
  }
  if (!ENTERERS.has(program)) return false
  const { named, free } = parametersOf(words.slice(1))
  const target = named.get('path') ?? named.get('literalpath') ?? free[0]
  const path = target && isPath(target) ? cleanPath(target.text) : undefined
  const known = path !== undefined && (isAbsolute(path) || reading.directory !== undefined)
  reading.directory = known ? joinPath(reading.directory ?? '', path) : undefined
  if (reading.directory !== undefined && isAbsolute(reading.directory)) {
    reading.entered.push(reading.directory)
  }
  return true
}

function weigh(reading: ShellReading, { words, writes, list }: Statement): void {
  const [program, ...args] = words
  if (!program?.plain) return
  const command = {
    type: 'command',
    words,
    writes,
    pipedIn: false,
    pipedOut: false,
    list,
    guarded: false,
  } as const
  const invocation: Invocation = { program: program.text, args, command }
  const purpose = purposeOf(invocation)
  if (WEIGHT[purpose] <= WEIGHT[reading.purpose] && reading.head !== '') return
  reading.head = headOf(invocation)
  if (WEIGHT[purpose] > WEIGHT[reading.purpose]) reading.purpose = purpose
}

function effectsOf({ words, writes }: Statement): Effect[] {
  const effects: Effect[] = writes
    .filter(({ target }) => isPath(target))
    .map(({ target, append }) => ({ type: append ? 'edit' : 'create', path: target.text }))
  const program = words[0]?.plain === true ? words[0].text.toLowerCase() : ''
  const { named, free } = parametersOf(words.slice(1))
  const given = named.get('path') ?? named.get('literalpath') ?? named.get('filepath')
  const operands = given === undefined ? free : [given, ...free]
  const paths = operands.filter(isPath).map(({ text }) => text)
  const [path] = paths
  if (path === undefined) return effects
  if (READERS.has(program)) return [...effects, { type: 'read', path }]
  if (program === 'add-content' || program === 'ac') return [...effects, { type: 'edit', path }]
  if (WRITERS.has(program)) {
    if (named.get('itemtype')?.text.toLowerCase() === 'directory') return effects
    return [...effects, { type: 'create', path }]
  }
  if (REMOVERS.has(program)) {
    const tree = words.some(({ text }) => /^-r(ecurse|f)?$/i.test(text))
    return [
      ...effects,
      ...paths.map((gone): Effect => ({ type: 'delete', path: gone, ...(tree && { tree }) })),
    ]
  }
  const target = named.get('destination') ?? named.get('newname')
  const pair = target === undefined ? operands : [operands[0] as Word, target]
  if (MOVERS.has(program)) {
    return [
      ...effects,
      ...intoTargets(pair).map(([from, to]): Effect => ({ type: 'rename', path: from, to })),
    ]
  }
  if (COPIERS.has(program)) {
    return [
      ...effects,
      ...intoTargets(pair).map(([, to]): Effect => ({ type: 'create', path: to })),
    ]
  }
  return effects
}

/** Parameters without a value; all others take the next word. */
const SWITCHES =
  /^-(?:recurse|force|r|rf|whatif|confirm|raw|wait|append|nonewline|noclobber|passthru|verbose)$/i

function parametersOf(words: readonly Word[]): { named: Map<string, Word>; free: Word[] } {
  const named = new Map<string, Word>()
  const free: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word
    if (!/^-[A-Za-z]/.test(word.text)) free.push(word)
    else if (!SWITCHES.test(word.text)) {
      const value = words[++at]
      if (value) named.set(word.text.slice(1).toLowerCase(), value)
    }
  }
  return { named, free }
}

function isPath({ text, plain }: Word): boolean {
  return plain && text !== '' && !/[\n\r*?$<>|]/.test(text) && !/^(?:\$null|nul|env:)/i.test(text)
}

function readStatements(script: string): Statement[] {
  const statements: Statement[] = []
  let current: Statement | undefined
  let list = 0
  let at = 0
  const end = (): void => {
    if (current) {
      const [first, second] = current.words
      if (first?.text.startsWith('$') === true && second?.text === '=') current.words.splice(0, 2)
      if (current.words.length > 0 || current.writes.length > 0) statements.push(current)
    }
    current = undefined
  }
  while (at < script.length) {
    const sign = script[at] as string
    if (sign === ' ' || sign === '\t' || sign === '\r' || sign === '&') at++
    else if (sign === '\n' || sign === ';') {
      end()
      list++
      at++
    } else if (sign === '|' || sign === '{' || sign === '}' || sign === '(' || sign === ')') {
      end()
      at++
    } else if (sign === '#') {
      const newLine = script.indexOf('\n', at)
      at = newLine < 0 ? script.length : newLine
    } else if (sign === '>') {
      const append = script[at + 1] === '>'
      at += append ? 2 : 1
      while (script[at] === ' ') at++
      const read = readWord(script, at)
      at = Math.max(read.at, at)
      current ??= { words: [], writes: [], list }
      if (!read.word.text.startsWith('&')) current.writes.push({ target: read.word, append })
    } else {
      const read = readWord(script, at)
      at = Math.max(read.at, at + 1)
      // A text, a variable or a type at the start is an expression: it only prints.
      if (current === undefined && '\'"@['.includes(sign)) read.word.plain = false
      current ??= { words: [], writes: [], list }
      const stream = /^[0-9*]$/.test(read.word.text) && script[at] === '>'
      if (!stream) current.words.push(read.word)
    }
  }
  end()
  return statements
}

const ENDS = ' \t\r\n;|{}()>'

function readWord(script: string, from: number): { word: Word; at: number } {
  const word: Word = { text: '', plain: true }
  let at = from
  while (at < script.length && !ENDS.includes(script[at] as string)) {
    const sign = script[at] as string
    if (sign === '@' && (script[at + 1] === "'" || script[at + 1] === '"')) {
      const close = script.indexOf(`\n${script[at + 1]}@`, at)
      word.text += script.slice(at + 2, close < 0 ? script.length : close)
      at = close < 0 ? script.length : close + 3
    } else if (sign === "'" || sign === '"') {
      let stop = at + 1
      while (stop < script.length && script[stop] !== sign)
        stop += sign === '"' && script[stop] === '`' ? 2 : 1
      const text = script.slice(at + 1, stop)
      if (sign === '"' && text.includes('$')) word.plain = false
      if (stop >= script.length) word.plain = false
      word.text += text
      at = stop + 1
    } else {
      if (sign === '$' || sign === '*' || sign === '?' || sign === '[') word.plain = false
      if (sign === '`') at++
      word.text += script[at] ?? ''
      at++
    }
  }
  return { word, at }
}

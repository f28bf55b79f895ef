import type { ShellCommand, Word } from './script.ts'
import type { Effect } from '../lens.ts'

/** A simple command without words that only prepare it: assignments, `sudo`, `timeout 30`. */
export interface Invocation {
  /** The last segment of the program's path; '' if there is no program or it is expanded. */
  program: string
  args: Word[]
  command: ShellCommand
}

/** Programs that run another one, and how many operands of their own come first. */
const WRAPPERS: Readonly<Record<string, number>> = {
  sudo: 0,
  env: 0,
  time: 0,
  nohup: 0,
  command: 0,
  exec: 0,
  builtin: 0,
  nice: 0,
  stdbuf: 0,
  timeout: 1,
  gtimeout: 1,
}
/** Options of wrappers that take the next word. */
const WRAPPER_VALUES = new Set(['-u', '-g', '-n', '-k', '-s', '-C', '--user', '--signal'])

export function invocationOf(command: ShellCommand): Invocation {
  const { words } = command
  let at = 0
  let skip = 0
  while (at < words.length) {
    const word = words[at] as Word
    if (isAssignment(word.text)) {
      at++
    } else if (skip > 0 && !word.text.startsWith('-')) {
      skip--
      at++
    } else {
      const wrapper = word.plain ? WRAPPERS[baseName(word.text)] : undefined
      if (wrapper === undefined || !Object.hasOwn(WRAPPERS, baseName(word.text))) break
      skip = wrapper
      at++
      while (at < words.length && (words[at] as Word).text.startsWith('-')) {
        at += WRAPPER_VALUES.has((words[at] as Word).text) ? 2 : 1
      }
    }
  }
  const program = words[at]
  return {
    program: program?.plain === true ? baseName(program.text) : '',
    args: words.slice(at + 1),
    command,
  }
}

function isAssignment(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,80}\+?=/.test(text)
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/**
 * The operands of a command: words that are neither options nor their values. `valued` names the
 * options that take the next word.
 */
export function operandsOf(args: readonly Word[], valued: readonly string[] = []): Word[] {
  const operands: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word
    if (word.text === '--') return [...operands, ...args.slice(at + 1)]
    if (valued.includes(word.text)) at++
    else if (!word.text.startsWith('-') || word.text === '-') operands.push(word)
  }
  return operands
}

export function hasOption(args: readonly Word[], ...names: string[]): boolean {
  return args.some(({ text }) => text.startsWith('-') && names.some((name) => isOption(text, name)))
}

/** `-r` may appear as `-r` and in `-rf`; `--output` also as `--output=file`. */
function isOption(text: string, name: string): boolean {
  if (text === name) return true
  if (name.startsWith('--')) return text.startsWith(`${name}=`)
  return name.length === 2 && /^-[A-Za-z]{2,}$/.test(text) && text.includes(name.slice(1))
}

/** The words that can be a file's path: nothing expanded, no device, no stream. */
export function pathsOf(words: readonly Word[]): string[] {
  return words.filter(isPath).map(({ text }) => text)
}

export function isPath(word: Word): boolean {
  const { text, plain } = word
  return (
    plain && text !== '' && text !== '-' && !text.startsWith('/dev/') && !/[\n\r$`*?]/.test(text)
  )
}

/** What `mv` with these arguments moves, and where to. */
export function moved(args: readonly Word[]): Effect[] {
  return intoTargets(operandsOf(args, ['-S', '--suffix'])).map(([path, to]) => ({
    type: 'rename',
    path,
    to,
  }))
}

/** Each source with its destination; nothing if the target is unknown. */
export function intoTargets(operands: readonly Word[]): [string, string][] {
  const target = operands.at(-1)
  if (operands.length < 2 || target === undefined || !isPath(target)) return []
  const sources = pathsOf(operands.slice(0, -1))
  const many = operands.length > 2
  return sources.map((source) => {
    const name = source.slice(source.lastIndexOf('/') + 1)
    const into = many || isDirectory(target.text, name)
    return [source, into ? `${target.text.replace(/\/+$/, '')}/${name}` : target.text]
  })
}

/** `a.ts src` moves into a directory; `a.ts b.ts`, `Makefile old` and `README.md README` don't. */
function isDirectory(target: string, name: string): boolean {
  if (/(^|\/)\.{0,2}$/.test(target)) return true
  const last = target.slice(target.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 && !last.includes('.') && name.slice(0, dot) !== last
}

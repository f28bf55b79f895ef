import { isAbsolute, joinPath } from '../paths/clean-path.ts'
import { gitCommandOf, gitChanges, placeEffect } from './git-changes.ts'
import {
  invocationOf,
  isPath,
  hasOption,
  operandsOf,
  pathsOf,
  intoTargets,
  moved,
} from './invocation.ts'
import { headOf, purposeOf } from './purpose.ts'
import { readScript } from './read-script.ts'
import { readsOf, editsInPlace } from './reads.ts'
import { patchEffects } from '../patch/patch-effects.ts'
import type { Invocation } from './invocation.ts'
import type { ScriptEvent, Word } from './script.ts'
import type { CommandPurpose } from '../facts.ts'
import type { Effect } from '../lens.ts'

/** Formatters and fixers: the option that makes them write, and their options with values. */
const REWRITERS: Readonly<Record<string, { writes: string; valued?: readonly string[] }>> = {
  gofmt: { writes: '-w', valued: ['-r'] },
  goimports: { writes: '-w', valued: ['-local'] },
  gofumpt: { writes: '-w' },
  prettier: { writes: '--write', valued: ['--config', '--parser'] },
  eslint: { writes: '--fix', valued: ['-c', '--config', '--ext'] },
  oxfmt: { writes: '' },
  rustfmt: { writes: '', valued: ['--edition', '--config'] },
  'clang-format': { writes: '-i', valued: ['--style'] },
  black: { writes: '', valued: ['-l', '--line-length'] },
  isort: { writes: '' },
  shfmt: { writes: '-w', valued: ['-i', '-ln'] },
}

/** What a command does to files, by its own words; expanded words are not paths. */
function changesOf(invocation: Invocation): Effect[] {
  return [...redirected(invocation), ...changed(invocation)]
}

function redirected({ command }: Invocation): Effect[] {
  return command.writes
    .filter(({ target }) => isPath(target))
    .map(({ target, append }) => ({ type: append ? 'edit' : 'create', path: target.text }))
}

function changed(invocation: Invocation): Effect[] {
  const { program, args } = invocation
  switch (program) {
    case 'rm':
    case 'unlink':
      return removed(args)
    case 'mv':
      return moved(args)
    case 'cp':
      return copied(args)
    case 'touch':
      return made(pathsOf(operandsOf(args, ['-d', '-t', '-r'])))
    case 'tee':
      return teed(args)
    case 'truncate':
      return edited(pathsOf(operandsOf(args, ['-s', '-r'])))
    case 'sed':
    case 'perl':
      return editedInPlace(program, args)
    case 'curl':
      return downloaded(args, ['-o', '--output'])
    case 'wget':
      return downloaded(args, ['-O', '--output-document'])
    case 'git':
      return gitChanges(invocation)
    case 'apply_patch':
    case 'applypatch':
    case 'patch':
      return patchEffects(invocation.command.document ?? args[0]?.text ?? '')
    case 'npx':
    case 'pnpx':
    case 'bunx':
      return rewritten(args[0]?.text ?? '', args.slice(1))
    default:
      return rewritten(program, args)
  }
}

function made(paths: readonly string[]): Effect[] {
  return paths.map((path) => ({ type: 'create', path }))
}

function edited(paths: readonly string[]): Effect[] {
  return paths.map((path) => ({ type: 'edit', path }))
}

function removed(args: readonly Word[]): Effect[] {
  const tree = hasOption(args, '-r', '-R', '--recursive')
  return pathsOf(operandsOf(args)).map((path) => ({ type: 'delete', path, ...(tree && { tree }) }))
}

function copied(args: readonly Word[]): Effect[] {
  if (hasOption(args, '-r', '-R', '-a', '--recursive', '--archive')) return []
  return intoTargets(operandsOf(args)).map(([, path]) => ({ type: 'create', path }))
}

function teed(args: readonly Word[]): Effect[] {
  const paths = pathsOf(operandsOf(args))
  return hasOption(args, '-a', '--append') ? edited(paths) : made(paths)
}

/** BSD's `sed -i ''` has an empty word for the suffix. */
function editedInPlace(program: string, args: readonly Word[]): Effect[] {
  if (!editsInPlace(args)) return []
  const valued = program === 'perl' ? ['-e', '-E'] : ['-e', '-f', '--expression', '--file']
  const options = args.map(({ text }) => text)
  const scripted =
    options.some((text) => valued.includes(text)) ||
    (program === 'perl' && options.some((text) => /^-[a-zA-Z0-9.]*[eE]$/.test(text)))
  const inline =
    program === 'perl' ? [...valued, ...options.filter((text) => /^-\w*[eE]$/.test(text))] : valued
  const operands = operandsOf(args, inline).filter(({ text }) => text !== '')
  return edited(pathsOf(scripted ? operands : operands.slice(1)))
}

function downloaded(args: readonly Word[], options: readonly string[]): Effect[] {
  const at = args.findIndex(({ text }) => options.includes(text))
  const target = at < 0 ? undefined : args[at + 1]
  return target && isPath(target) ? made([target.text]) : []
}

function rewritten(program: string, args: readonly Word[]): Effect[] {
  const rewriter = Object.hasOwn(REWRITERS, program) ? REWRITERS[program] : undefined
  if (!rewriter || (rewriter.writes !== '' && !hasOption(args, rewriter.writes))) return []
  if (hasOption(args, '--check', '--diff', '--list-different')) return []
  return edited(
    pathsOf(operandsOf(args, rewriter.valued)).filter((path) => /\.\w{1,8}$/.test(path)),
  )
}

export interface ShellReading {
  effects: Effect[]
  purpose: CommandPurpose
  /** Program and subcommand of the most important command. */
  head: string
  /** Absolute directories that it changed to, and its final directory, if that is known. */
  entered: string[]
  directory: string | undefined
}

export interface ShellCircumstances {
  /** Where it was run; '' for the session's directory. */
  directory: string
  /** It ended with a status other than 0. */
  failed: boolean
}

/** `bash -c "bash -c …"`: more is a joke or an attack. */
const DEEPEST_SHELL = 3
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish'])
const WEIGHT: Readonly<Record<CommandPurpose, number>> = { look: 0, act: 1, check: 2 }

/**
 * What a shell script did, as far as its own words say. If it failed, the commands in the list
 * whose status it returned don't count, and those before them do.
 */
export function readShell(script: string, circumstances: ShellCircumstances): ShellReading {
  return readNested(script, circumstances, 0)
}

function readNested(
  script: string,
  { directory, failed }: ShellCircumstances,
  depth: number,
): ShellReading {
  const events = readScript(script)
  const reading: ShellReading = { effects: [], purpose: 'look', head: '', entered: [], directory }
  const failedList = failed ? failedFrom(events) : Number.POSITIVE_INFINITY
  const outer: (string | undefined)[] = []
  for (let at = 0; at < events.length; at++) {
    const event = events[at] as ScriptEvent
    if (event.type === 'enter') outer.push(reading.directory)
    else if (event.type === 'leave') reading.directory = outer.pop()
    else {
      const invocation = invocationOf(event)
      const inner = nestedScript(invocation)
      if (inner !== undefined && depth < DEEPEST_SHELL) {
        const lost = failed && event.list >= failedList
        const standing = reading.directory ?? ''
        merge(reading, readNested(inner, { directory: standing, failed: lost }, depth + 1))
        continue
      }
      weigh(reading, invocation)
      if (enter(reading, invocation)) continue
      if (event.list < failedList) collect(reading, invocation, nextOf(events, at))
    }
  }
  return reading
}

function merge(reading: ShellReading, inner: ShellReading): void {
  for (const effect of inner.effects) reading.effects.push(effect)
  reading.entered.push(...inner.entered)
  if (reading.head === '' || WEIGHT[inner.purpose] > WEIGHT[reading.purpose])
    reading.head = inner.head
  if (WEIGHT[inner.purpose] > WEIGHT[reading.purpose]) reading.purpose = inner.purpose
}

/** The list whose status the script returned; all lists if it stops at the first error. */
function failedFrom(events: readonly ScriptEvent[]): number {
  let last = 0
  for (const event of events) {
    if (event.type !== 'command') continue
    last = Math.max(last, event.list)
    const [program, option] = event.words
    if (program?.text === 'set' && /^-[a-zA-Z]*e/.test(option?.text ?? '')) return 0
  }
  return last
}

/** The script of `bash -lc '…'`. */
function nestedScript({ program, args }: Invocation): string | undefined {
  if (!SHELLS.has(program)) return undefined
  const at = args.findIndex(({ text }) => /^-[a-zA-Z]*c$/.test(text))
  const script = at < 0 ? undefined : args[at + 1]
  return script?.plain === true ? script.text : undefined
}

function weigh(reading: ShellReading, invocation: Invocation): void {
  const purpose = purposeOf(invocation)
  const head = headOf(invocation)
  const trivial = /^(cd|echo|export|set|source|sleep|true|pwd|)$/.test(reading.head)
  if (WEIGHT[purpose] > WEIGHT[reading.purpose] || (trivial && head !== '')) reading.head = head
  if (WEIGHT[purpose] > WEIGHT[reading.purpose]) reading.purpose = purpose
}

/** Follows `cd`. An expanded directory is unknown, and so is everything relative to it. */
function enter(reading: ShellReading, { program, args, command }: Invocation): boolean {
  if (program !== 'cd' && program !== 'pushd' && program !== 'popd') return false
  if (command.pipedIn || command.pipedOut) return true
  const target = args.find(({ text }) => !text.startsWith('-') || text === '-')
  if (target === undefined || !isPath(target) || command.guarded) {
    reading.directory = undefined
    return true
  }
  if (reading.directory === undefined && !isAbsolute(target.text)) return true
  reading.directory = joinPath(reading.directory ?? '', target.text)
  if (isAbsolute(reading.directory)) reading.entered.push(reading.directory)
  return true
}

function nextOf(events: readonly ScriptEvent[], at: number): Invocation | undefined {
  const event = events[at]
  const next = events[at + 1]
  if (event?.type !== 'command' || !event.pipedOut || next?.type !== 'command') return undefined
  return invocationOf(next)
}

function collect(
  reading: ShellReading,
  invocation: Invocation,
  next: Invocation | undefined,
): void {
  if (invocation.program === 'xargs') return
  const guarded = invocation.command.guarded
  const effects = [...readsOf(invocation, next), ...(guarded ? [] : changesOf(invocation))]
  const git = invocation.program === 'git' ? gitCommandOf(invocation.args).directory : undefined
  for (const effect of effects) {
    const placed = placeEffect(effect, reading.directory, git)
    if (placed) reading.effects.push(placed)
  }
}

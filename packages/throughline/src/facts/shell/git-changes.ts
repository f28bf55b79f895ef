import { hasOption, operandsOf, pathsOf, moved, type Invocation } from './invocation.ts'
import { patchEffects } from '../patch/patch-effects.ts'
import { isAbsolute, joinPath } from '../paths/clean-path.ts'
import type { Word } from './script.ts'
import type { Effect } from '../lens.ts'

/** Options of `git` itself that take the next word. */
const GLOBAL_VALUES = new Set(['-C', '-c', '--git-dir', '--work-tree'])

export interface GitCommand {
  subcommand: string
  args: Word[]
  /** The directory of `git -C`. */
  directory?: string
}

/** Parses `git -C dir --no-pager mv a b`. */
export function gitCommandOf(args: readonly Word[]): GitCommand {
  let directory: string | undefined
  let at = 0
  while (at < args.length && args[at]?.text.startsWith('-') === true) {
    const option = args[at] as Word
    const value = args[at + 1]
    if (option.text === '-C' && value?.plain === true) directory = value.text
    at += GLOBAL_VALUES.has(option.text) ? 2 : 1
  }
  return {
    subcommand: args[at]?.text ?? '',
    args: args.slice(at + 1),
    ...(directory !== undefined && { directory }),
  }
}

/** What a git command does to the files of the working tree, as far as it names them. */
export function gitChanges({ args: words, command }: Invocation): Effect[] {
  const { subcommand, args } = gitCommandOf(words)
  switch (subcommand) {
    case 'mv':
      return moved(args)
    case 'rm':
      return hasOption(args, '--cached') ? [] : removed(args)
    case 'checkout':
      return reverted(checkedOut(args))
    case 'restore':
      if (hasOption(args, '--staged', '-S') && !hasOption(args, '--worktree', '-W')) return []
      return reverted(operandsOf(args, ['-s', '--source']))
    case 'apply':
      return command.document === undefined ? [] : patchEffects(command.document)
    default:
      return []
  }
}

function removed(args: readonly Word[]): Effect[] {
  const tree = hasOption(args, '-r')
  return pathsOf(operandsOf(args)).map((path) => ({ type: 'delete', path, ...(tree && { tree }) }))
}

/** The words after `--`, or the files that `--theirs` and `--ours` are about. */
function checkedOut(args: readonly Word[]): Word[] {
  const at = args.findIndex(({ text }) => text === '--')
  if (at >= 0) return args.slice(at + 1)
  return hasOption(args, '--theirs', '--ours') ? operandsOf(args) : []
}

/** A restored file has been changed; a whole directory isn't named. */
function reverted(operands: readonly Word[]): Effect[] {
  return pathsOf(operands)
    .filter((path) => path !== '.' && !path.endsWith('/'))
    .map((path) => ({ type: 'edit', path }))
}

/**
 * An effect with its paths meant from the directory in which the command ran; `git` is what
 * `git -C` adds to it. `undefined` where that directory is not known and the path is relative.
 */
export function placeEffect(
  effect: Effect,
  directory: string | undefined,
  git?: string,
): Effect | undefined {
  if (!('path' in effect) || effect.path === undefined) return effect
  const path = placePath(effect.path, directory, git)
  if (path === undefined) return undefined
  if (effect.type !== 'rename') return { ...effect, path }
  const to = placePath(effect.to, directory, git)
  return to === undefined ? undefined : { ...effect, path, to }
}

function placePath(
  path: string,
  directory: string | undefined,
  git: string | undefined,
): string | undefined {
  const inner = git === undefined ? path : joinPath(git, path)
  if (isAbsolute(inner)) return inner
  if (directory === undefined) return undefined
  const placed = joinPath(directory, inner)
  return placed === '' ? undefined : placed
}

import { hasOption, isPath, operandsOf, pathsOf, type Invocation } from './invocation.ts'
import { gitChanges } from './git-changes.ts'
import { editsInPlace } from './reads.ts'
import { intoTargets, moved } from './targets.ts'
import { patchEffects } from '../patch/patch-effects.ts'
import type { Word } from './script.ts'
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
export function changesOf(invocation: Invocation): Effect[] {
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

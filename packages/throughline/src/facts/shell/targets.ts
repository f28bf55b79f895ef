import { isPath, operandsOf, pathsOf } from './invocation.ts'
import type { Word } from './script.ts'
import type { Effect } from '../lens.ts'

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

import { changesOfPatch } from './patch.ts'
import { simpleCommands, type ShellWord, type SimpleCommand } from './shell-words.ts'
import type { Change } from './change.ts'

/**
 * What a shell line does to files, as far as it is certain: `rm`, `mv`, `git rm`, `git mv`,
 * `touch`, `sed -i`, redirects, `tee` and heredoc patches with names that are spelled out.
 */
export function changesOfShell(line: string, directory = ''): Change[] {
  if (line.includes('*** Begin Patch')) {
    return changesOfPatch(line).map((change) => within(change, directory))
  }
  const changes: Change[] = []
  let here = directory
  for (const command of simpleCommands(line)) {
    const [name, target] = command.words
    if (name?.text === 'cd') {
      if (target === undefined || target.dynamic) return changes
      here = join(here, target.text)
      continue
    }
    changes.push(...changesOf(command).map((change) => within(change, here)))
  }
  return changes
}

function changesOf({ words, writes }: SimpleCommand): Change[] {
  const texts = words.map(({ text }) => text)
  const git = texts[0] === 'git' ? 1 : 0
  const verb = texts[git] ?? ''
  const operands = words.slice(git + 1).filter(({ text }) => !text.startsWith('-'))
  const recursive = texts.some((text) => /^-\w*[rR]/.test(text))
  const written = writes.filter((word) => isFile(word) && /[./]/.test(word.text))
  const changes: Change[] = written.map(({ text }) => ({ type: 'write', path: text }))
  if (verb === 'rm' && !recursive) changes.push(...named(operands, 'delete'))
  if (verb === 'mv') changes.push(...renames(operands))
  if (git === 1) return changes
  if (verb === 'touch' || verb === 'tee') changes.push(...named(operands, 'write'))
  if (verb === 'sed' && texts.some((text) => text.startsWith('-i'))) {
    changes.push(...named(operands.filter(looksLikeFile), 'edit'))
  }
  return changes
}

function named(words: readonly ShellWord[], type: 'delete' | 'write' | 'edit'): Change[] {
  return words.filter(isFile).map(({ text }) => ({ type, path: text }))
}

function renames(operands: readonly ShellWord[]): Change[] {
  const target = operands.at(-1)
  if (target === undefined || operands.length < 2 || operands.some(({ dynamic }) => dynamic))
    return []
  const sources = operands.slice(0, -1)
  const folder = target.text.endsWith('/') || sources.length > 1 || !looksLikeFile(target)
  return sources.filter(looksLikeFile).map(({ text }) => ({
    type: 'rename',
    path: text,
    to: folder ? `${target.text.replace(/\/$/, '')}/${text.split('/').at(-1)}` : target.text,
  }))
}

/** Spelled out, and no scratch file of the system. */
function isFile(word: ShellWord): boolean {
  return !word.dynamic && word.text !== '' && !/^(\/tmp|\/dev|\/private|\/var)\//.test(word.text)
}

function looksLikeFile(word: ShellWord): boolean {
  return isFile(word) && /\.[A-Za-z]\w{0,9}$/.test(word.text) && !/[\s;=]/.test(word.text)
}

function within(change: Change, directory: string): Change {
  const path = join(directory, change.path)
  return change.type === 'rename'
    ? { ...change, path, to: join(directory, change.to) }
    : { ...change, path }
}

function join(directory: string, path: string): string {
  if (directory === '' || path.startsWith('/') || path.startsWith('~')) return path
  const segments = `${directory}/${path}`.split('/')
  const resolved: string[] = []
  for (const segment of segments) {
    if (segment === '..' && (resolved.at(-1) ?? '..') !== '..') resolved.pop()
    else if (segment !== '.') resolved.push(segment)
  }
  return resolved.join('/')
}

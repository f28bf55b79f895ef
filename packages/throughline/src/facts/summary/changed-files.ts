import type { FileFact } from '../facts.ts'
import type { Facts } from './known-facts.ts'
import type { Room } from './room.ts'

/**
 * Every changed file, with what happened to it, in the order in which they were first touched: one
 * line per file if there is room, else one line per kind of change.
 */
export function changedFiles(index: Facts, room: Room, tokens: number): readonly string[] {
  const changed = [...index.files.values()].filter(isTold)
  if (changed.length === 0) return []
  for (const form of [oneByOne, byState]) {
    const lines = ['Files changed:', ...form(changed)]
    const cost = lines.reduce((sum, line) => sum + room.cost(line), 0)
    const limit = form === byState ? room.left : Math.min(tokens, room.left)
    if (cost <= limit) return room.take(lines)
  }
  return asManyAsFit(changed, room)
}

/** Changed, and not already covered by the file that it was renamed to. */
function isTold({ state, to }: FileFact): boolean {
  return state !== 'read' && !(state === 'renamed' && to !== undefined)
}

function oneByOne(files: readonly FileFact[]): string[] {
  return files.map((file) => `- ${sentence(file)} [${file.seqs.at(-1)}]`)
}

function sentence(file: FileFact): string {
  const edits = file.edits > 1 ? ` ×${file.edits}` : ''
  const was = file.from === undefined ? '' : ` (renamed from ${file.from})`
  switch (file.state) {
    case 'created':
      return `created ${file.path}${was}${file.edits > 0 ? `, then edited${edits}` : ''}`
    case 'renamed':
      return `renamed ${file.from ?? file.path} → ${file.path}${edits === '' ? '' : `, edited${edits}`}`
    case 'deleted':
      return `deleted ${file.path}${was}`
    case 'edited':
    case 'read':
      return `edited${edits} ${file.path}${was}`
  }
}

function byState(files: readonly FileFact[]): string[] {
  const states = ['created', 'edited', 'renamed', 'deleted'] as const
  return states.flatMap((state) => {
    const own = files.filter((file) => file.state === state)
    return own.length === 0 ? [] : [`- ${state}: ${own.map(nameOf).join(', ')}`]
  })
}

function nameOf({ from, path }: FileFact): string {
  return from === undefined ? path : `${from} → ${path}`
}

/** If not all files can be named: the newest, and the number of all. */
function asManyAsFit(files: readonly FileFact[], room: Room): readonly string[] {
  const rest = `- and ${files.length} files in all`
  const newest = files.toSorted((a, b) => (b.seqs.at(-1) ?? 0) - (a.seqs.at(-1) ?? 0))
  const limit = room.left - room.cost(rest)
  const lines = room.takeFitting(
    newest.map((file) => `- ${sentence(file)}`),
    limit,
  )
  return room.left < room.cost(rest) ? lines : [...lines, ...room.take([rest])]
}

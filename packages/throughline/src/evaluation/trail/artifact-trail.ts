import { isPath, wordsOf, withSlashes } from '../words.ts'
import { visibleTextOf } from '../visible.ts'
import type { Chronological } from '../../log/order.ts'

export type ChangedState = 'created' | 'edited' | 'renamed' | 'deleted'

/**
 * One thing that a call did to a file. A `write` created or edited it: the call doesn't say which.
 */
export type Change =
  | { type: 'create' | 'edit' | 'write' | 'delete'; path: string }
  | { type: 'rename'; path: string; to: string }

/**
 * What happened to each file: every state that would be right to name. A file that was created and
 * then edited may be called either.
 */
export type Outcome = Map<string, Set<ChangedState>>

export function applyChange(outcome: Outcome, change: Change): void {
  const { path } = change
  const before = outcome.get(path) ?? new Set()
  const alive = [...before].filter((state) => state !== 'deleted')
  switch (change.type) {
    case 'create':
      // What was deleted and is there again was replaced: it is right to say that it was edited.
      if (before.has('deleted')) alive.push('edited')
      return void outcome.set(path, new Set([...alive, 'created']))
    case 'edit':
      return void outcome.set(path, new Set([...alive, 'edited']))
    case 'write':
      return void outcome.set(path, new Set([...alive, 'edited', 'created']))
    case 'delete':
      return void outcome.set(path, new Set(['deleted']))
    case 'rename':
      outcome.set(path, new Set(['renamed', 'deleted']))
      outcome.set(change.to, new Set([...alive, 'renamed']))
  }
}

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const move = /^\*\*\* Move to: (.+)$/

/** What a patch in the `*** Begin Patch` form does to files. */
export function changesOfPatch(patch: string): Change[] {
  const changes: Change[] = []
  for (const line of patch.split('\n')) {
    const [, verb, path] = header.exec(line) ?? []
    if (verb !== undefined && path !== undefined) {
      const type = verb === 'Add' ? 'create' : verb === 'Delete' ? 'delete' : 'edit'
      changes.push({ type, path: path.trim() })
    }
    const to = move.exec(line)?.[1]?.trim()
    const last = changes.at(-1)
    if (to !== undefined && last !== undefined) {
      changes[changes.length - 1] = { type: 'rename', path: last.path, to }
    }
  }
  return changes
}

export interface ArtifactTrail {
  /** Files that the session created, changed, renamed or deleted. */
  changed: number
  /** The files that the kept text names with the right state. */
  right: number
  /** The others, for a person to look at. */
  missed: string[]
}

const stateWords: Record<ChangedState, RegExp> = {
  created: /\b(?:creat\w*|add(?:ed|s)?|new|wr(?:ote|itten|ites?))\b/gi,
  edited: /\b(?:edit\w*|updat\w*|chang\w*|modif\w*|fix\w*|wr(?:ote|itten|ites?))\b/gi,
  renamed: /\b(?:renam\w*|mov(?:ed|es?)|from|to)\b|→|->/gi,
  deleted: /\b(?:delet\w*|remov\w*)\b/gi,
}

/** How many of the changed files the kept text names with what happened to them. */
export function artifactTrail(
  outcome: Outcome,
  kept: string,
  directories: readonly string[],
): ArtifactTrail {
  const lines = withoutDirectories(kept, directories).split('\n')
  const missed = [...outcome]
    .filter(
      ([path, states]) => !lines.some((line, index) => saysSo(lines, index, line, path, states)),
    )
    .map(([path]) => path)
  return { changed: outcome.size, right: outcome.size - missed.length, missed }
}

/** The line names the file, and the nearest state word is a right one. */
function saysSo(
  lines: readonly string[],
  index: number,
  line: string,
  path: string,
  states: ReadonlySet<ChangedState>,
): boolean {
  return positionsOf(line, path).some((position) => {
    const said = stateNear(line, position, path.length) ?? stateOfHeading(lines, index)
    return said.some((state) => states.has(state))
  })
}

/** In a list, the state comes before the files it describes; elsewhere, right after the file. */
function stateNear(line: string, position: number, length: number): ChangedState[] | undefined {
  const after = /^[`*]*\s*[(:—–-]?\s*[^,;·]{0,60}/.exec(line.slice(position + length))?.[0] ?? ''
  const next = statesIn(after)
  if (next.length > 0) return next
  const before = statesIn(line.slice(0, position))
  return before.length > 0 ? before.slice(-1) : undefined
}

/** The nearest line above that ends in a colon or is a heading. */
function stateOfHeading(lines: readonly string[], index: number): ChangedState[] {
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] as string
    if (/^#|:\s*[*]*$/.test(line)) return statesIn(line)
  }
  return []
}

/** The states that a text names, ordered by the last occurrence of their words. */
function statesIn(text: string): ChangedState[] {
  const last = (Object.keys(stateWords) as ChangedState[]).map((state) => ({
    state,
    at: [...text.matchAll(stateWords[state])].at(-1)?.index ?? -1,
  }))
  return last
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ state }) => state)
}

function positionsOf(line: string, path: string): number[] {
  const positions: number[] = []
  for (let at = line.indexOf(path); at >= 0; at = line.indexOf(path, at + 1)) {
    const before = line[at - 1] ?? ' '
    const after = line.slice(at + path.length, at + path.length + 2)
    const starts = !/[A-Za-z0-9_@~/.-]/.test(before) || line.slice(0, at).endsWith(' ./')
    if (starts && !/^(?:[A-Za-z0-9_/-]|\.[A-Za-z0-9])/.test(after)) positions.push(at)
  }
  return positions
}

const marked = /\b(?:unseen|never seen|not seen)\b/i

/** Paths in the summary that the session never held, on lines that don't say so. */
export function inventedPaths(
  summary: string,
  log: Chronological,
  directories: readonly string[],
): string[] {
  const seen = seenIn(log, directories)
  const lines = summary.split('\n').filter((line) => !marked.test(line))
  return [...wordsOf(lines.join('\n'), directories)].filter(
    (word) => isPath(word) && !seen.includes(word),
  )
}

const seenBefore = new WeakMap<Chronological, { directories: readonly string[]; seen: string }>()

/**
 * Everything that a log holds, with its paths as a summary may name them; computed once per log.
 */
function seenIn(log: Chronological, directories: readonly string[]): string {
  const before = seenBefore.get(log)
  if (before?.directories === directories) return before.seen
  const visible = withSlashes(visibleTextOf(log), directories)
  const resolved = directories.map((directory) => visible.replaceAll('../', parentOf(directory)))
  const seen = [...directories, ...resolved, withoutDirectories(visible, directories)].join('\n')
  seenBefore.set(log, { directories, seen })
  return seen
}

/** `../other/go.mod` is a path in the neighboring directory, spelled from here. */
function parentOf(directory: string): string {
  return directory.slice(0, directory.lastIndexOf('/') + 1)
}

function withoutDirectories(text: string, directories: readonly string[]): string {
  return directories.reduce((shorter, directory) => shorter.replaceAll(`${directory}/`, ''), text)
}

import { foldEntry } from './fold-entry.ts'
import { emptyMemory, type FactsState } from './fold-memory.ts'
import { authority, learnDirectory } from './paths/directories.ts'
import { isTold, toldUpTo } from './timeline.ts'
import { indexAfter, type Chronological } from '../log/order.ts'
import type { Facts } from './facts.ts'
import type { ToolLens } from './lens.ts'
import type { Entry, Seq } from '../log/entry.ts'

export interface FactsOptions {
  /** The lenses of plugins; they are asked before the built-in ones. */
  lenses?: readonly ToolLens[] | undefined
  /** Where the session works, the root first, if known from elsewhere. */
  directories?: readonly string[] | undefined
  /** The newest entry to fold in; all by default. */
  upTo?: Seq | undefined
}

export function emptyFacts(): Facts {
  return empty()
}

function empty(): FactsState {
  return {
    seq: 0,
    root: '',
    directories: [],
    files: new Map(),
    commands: new Map(),
    errors: [],
    names: new Map(),
    rules: [],
    requests: [],
    conclusions: [],
    todos: [],
    memory: emptyMemory(),
  }
}

/**
 * The facts of a log, or of its part up to `options.upTo`.
 * @example
 * const { files, rules } = indexOf(log)
 */
export function factsOf(log: Chronological, options: FactsOptions = {}): Facts {
  return advanceFacts(empty(), log, options)
}

/**
 * Folds in the entries after `facts.seq`, in place, at a cost that depends on what is new. Only a
 * rewind costs more: rewound entries leave no facts, so everything that remains is folded again.
 * The options must be the same in every call.
 */
export function advanceFacts(facts: Facts, log: Chronological, options: FactsOptions = {}): Facts {
  const { lenses, upTo = Number.MAX_SAFE_INTEGER } = options
  const state = stateOf(facts)
  for (const directory of options.directories ?? [])
    learnDirectory(state, directory, authority.options)
  const from = indexAfter(log, state.seq)
  const end = indexAfter(log, upTo)
  let start = from
  const rewind = lastRewind(log, from, end)
  if (rewind >= 0) {
    const seq = (log[rewind] as Entry).seq
    restart(state, options.directories)
    for (const told of toldUpTo(log, seq)) foldEntry(state, told, lenses)
    start = rewind + 1
  }
  for (let at = start; at < end; at++) {
    const entry = log[at] as Entry
    if (isTold(entry)) foldEntry(state, entry, lenses)
  }
  if (end > from) state.seq = (log[end - 1] as Entry).seq
  return facts
}

/** a set of facts that somebody put together by hand has no memory yet. */
function stateOf(facts: Facts): FactsState {
  const state = facts as FactsState
  state.memory ??= emptyMemory()
  state.root ??= ''
  return state
}

function restart(state: FactsState, directories: readonly string[] | undefined): void {
  delete state.inherited
  Object.assign(state, { ...empty(), seq: state.seq })
  for (const directory of directories ?? []) learnDirectory(state, directory, authority.options)
}

function lastRewind(log: Chronological, from: number, end: number): number {
  for (let at = end - 1; at >= from; at--) if ((log[at] as Entry).kind === 'rewind') return at
  return -1
}

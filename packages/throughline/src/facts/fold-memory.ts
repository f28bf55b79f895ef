import { emptyHashes, emptyShortHashes, type HashSet } from './forget/hash-set.ts'
import type { Seq } from '../log/entry.ts'
import type { BackgroundFact, CommandPurpose, Facts, StatementFact } from './facts.ts'

/** Facts together with the memory that their fold needs. */
export interface FactsState extends Facts {
  root: string
  background: Map<string, BackgroundFact>
  memory: FoldMemory
}

/** What the fold of the facts remembers between two entries. Plain data. */
export interface FoldMemory {
  /** Characters of text so far: the position by which the use of names is weighted. */
  position: number
  texts: number
  /** How reliable the root is: see `RootAuthority`. */
  rootAuthority: number
  /** The evidence for a root that was never named. */
  guesses: Map<string, number>
  /** The session's current directory, '' for its root. */
  current: string
  /** The session's records name its directory, and they override anything that a command says. */
  directoryRecorded: boolean
  /** On Windows, the spelling of each path by its lower-case form. */
  spellings: Map<string, string>
  /** Calls that have no result yet, by id. */
  calls: Map<string, OpenCall>
  /** Commands that are still running, by the names that the harness gave them. */
  running: Map<string, RunningCommand>
  /** The newest changes of files: what was done between a failure and a success. */
  changes: { path: string; seq: Seq }[]
  /** Files that did not exist before the session. */
  born: Set<string>
  /** What the current turn has said and done so far. */
  turn: {
    /** Its newest text ends it only if no more of it follows. */
    answer: StatementFact | undefined
    /** What was said and thought in its newest step. */
    step: StatementFact[]
    /** It changed something. */
    worked: boolean
  }
  /** All statements by how they begin, so that nothing is noted twice. */
  saidBefore: HashSet<Float64Array>
  /** How many characters the statements have. */
  characters: number
  /** Names, and files that were only read, that are not among the facts any more. */
  forgotten: HashSet<Uint32Array>
  /** How many files were more than read, if this was counted. */
  lasting: number
  /** Statements of which only the newest holds, by what they are about. */
  newestOf: Map<string, StatementFact>
  /**
   * How often a summary that came with the session told of a use of each file and command: the
   * steps that came along with it are among these, and must not be counted again.
   */
  told: Map<string, number>
  /** The source of an assistant's to-do list: a tool's list is not replaced by one in prose. */
  todoSource: 'none' | 'prose' | 'tool'
  /** The newest reply asked for a tool in words: what follows in the user's place is the tool's. */
  asked: boolean
}

export interface RunningCommand {
  /** Its name among the facts. */
  name: string
  head: string
  purpose: CommandPurpose
}

interface OpenCall {
  seq: Seq
  tool: string
  input: unknown
}

export function emptyMemory(): FoldMemory {
  return {
    position: 0,
    texts: 0,
    rootAuthority: 0,
    guesses: new Map(),
    current: '',
    directoryRecorded: false,
    spellings: new Map(),
    calls: new Map(),
    running: new Map(),
    changes: [],
    born: new Set(),
    turn: { answer: undefined, step: [], worked: false },
    saidBefore: emptyHashes(),
    characters: 0,
    forgotten: emptyShortHashes(),
    lasting: 0,
    newestOf: new Map(),
    told: new Map(),
    todoSource: 'none',
    asked: false,
  }
}

/** What a summary can tell the number of. */
type Use = 'read' | 'change' | 'run'

/** How many uses of a file or a command a summary that came with the session reported. */
export function noteTold(
  { memory }: FactsState,
  use: Use,
  { name, times }: { name: string; times: number },
): void {
  memory.told.set(`${use} ${name}`, times)
}

/** Whether this use may be one of those that the summary reported; each of them counts once. */
export function wasTold({ memory }: FactsState, use: Use, name: string): boolean {
  const left = memory.told.get(`${use} ${name}`) ?? 0
  if (left > 0) memory.told.set(`${use} ${name}`, left - 1)
  return left > 0
}

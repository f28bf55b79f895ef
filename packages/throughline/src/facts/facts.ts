import type { Seq } from '../log/entry.ts'

/**
 * The facts that code, not a model, extracts from a log. Everything names the entries
 * it came from, newest last. Paths are relative to the session's root directory, and
 * absolute outside of it.
 */
export interface Facts {
  /** The newest entry that was folded in. */
  seq: Seq
  /** The directory that paths are relative to; '' or absent while none is known. */
  root?: string
  /** Working directories that the session named, longest first. */
  directories: string[]
  files: Map<string, FileFact>
  commands: Map<string, CommandFact>
  errors: ErrorFact[]
  names: Map<string, NameFact>
  rules: RuleFact[]
  /** Every human message, oldest first. */
  requests: RequestFact[]
  conclusions: ConclusionFact[]
  /** The newest state of the assistant's own list of things to do. */
  todos: TodoFact[]
  /** The newest entry whose summary is all that is left of what came before it. */
  inherited?: Seq
}

export type FileState = 'read' | 'created' | 'edited' | 'renamed' | 'deleted'

export interface FileFact {
  path: string
  /** What became of it, over the whole session; `read` if nothing changed it. */
  state: FileState
  reads: number
  edits: number
  /** Lines that were read, `[first, last]`, counted from 1; the newest 16. */
  ranges: [number, number][]
  /** Where it was before a rename, or where it went. */
  from?: string
  to?: string
  seqs: Seq[]
}

/** Tests, builds and linters; other commands that change something; mere looking around. */
export type CommandPurpose = 'check' | 'act' | 'look'

export interface CommandFact {
  /** The command line, shortened to one line. */
  command: string
  purpose?: CommandPurpose
  runs: number
  /** Of the newest run. `unknown` while it runs. */
  outcome: 'ok' | 'failed' | 'unknown'
  exitCode?: number
  /** The line of its newest output that says most: an error, or a result. */
  detail?: string
  seqs: Seq[]
}

export interface ErrorFact {
  text: string
  seq: Seq
  /** The file or the command that it belongs to. */
  owner: string
  /** The command whose output showed it, if one did. */
  command?: string
  /** The entry that showed it to be gone. */
  resolvedBy?: Seq
}

export type NameKind = 'identifier' | 'path' | 'url' | 'sha' | 'ticket'

/** A word that an agent may have to write again: it must be spelled right. */
export interface NameFact {
  name: string
  kind: NameKind
  /** The file or the command under which it belongs, or '' for none. */
  owner: string
  /** How often it stood in the input of a tool call. */
  calls: number
  /** How often it stood anywhere else. With no calls: 0 if only a summary names it. */
  mentions: number
  lastSeq: Seq
  /** Use weighed by recency, comparable between the names of one set of facts only. */
  weight?: number
}

/** A standing rule of the human, word for word. */
export interface RuleFact {
  text: string
  seq: Seq
  /** The entry in which the human took it back. */
  retractedBy?: Seq
}

export interface RequestFact {
  /** The human's own words, without attachments and what a harness added. */
  text: string
  seq: Seq
}

/** What the assistant itself said that it found, decided or finished. */
export interface ConclusionFact {
  text: string
  seq: Seq
  /** It ended a turn; else it is a finding on the way. */
  final?: true
}

export interface TodoFact {
  text: string
  status: 'open' | 'active' | 'done'
  seq: Seq
  /** The harness's own number of it. */
  id?: string
}

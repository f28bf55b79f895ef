import type { Seq } from '../log/entry.ts'

/**
 * The facts that code, not a model, extracts from a log. Each fact names the entries it came from,
 * newest last, and no more than 16 of them. Of what a long session only came across, the facts hold
 * what a summary would take first. Paths are relative to the session's root directory, and absolute outside of it.
 */
export interface Facts {
  /** The newest entry that was folded in. */
  seq: Seq
  /** The directory that paths are relative to; '' or missing while unknown. */
  root?: string
  /** Working directories that the session named, longest first. */
  directories: string[]
  files: Map<string, FileFact>
  commands: Map<string, CommandFact>
  errors: ErrorFact[]
  names: Map<string, NameFact>
  rules: RuleFact[]
  /** Text that reads like a rule but may come from a file: never a rule; only the newest are kept. */
  quoted?: QuotedFact[]
  /** Every human message, oldest first. */
  requests: RequestFact[]
  /** What was said for a reader rather than for a program, in the order in which it was noted. */
  statements: StatementFact[]
  repository: RepositoryFact
  /** The newest state of the assistant's own list of things to do. */
  todos: TodoFact[]
  /** What was started and left running, by the name that its harness gave it. */
  background?: Map<string, BackgroundFact>
  /** The newest entry whose summary is all that is left of what came before it. */
  inherited?: Seq
  /** Nothing was read out of that summary, because no ledger confirms who wrote it. */
  unvouched?: true
}

/** Work that runs beside the session: a spawned agent, a command, a job of some service. */
export interface BackgroundFact {
  /** The harness's name for it. */
  id: string
  kind: 'agent' | 'command' | 'job'
  /** What it was started for, in one line. */
  task: string
  /** Where its output goes, if the harness said so. */
  delivers?: string
  /** It was not started in the background: a command took longer than its call waited. */
  outlived?: true
  /** The request that it was started for, counted from 1. */
  turn: number
  /** `delivered` while its report has arrived and has not been used. */
  state: 'running' | 'delivered' | 'used' | 'ended'
  failed?: true
  /** The entry that shows its start, its end, and that its report was used. */
  seq: Seq
  endedAt?: Seq
  usedAt?: Seq
}

export type FileState = 'read' | 'created' | 'edited' | 'renamed' | 'deleted'

/** A file, with what the session did to it. */
export interface FileFact {
  path: string
  /** What happened to it over the whole session; `read` if nothing changed it. */
  state: FileState
  reads: number
  edits: number
  /** Its path before a rename, or after it. */
  from?: string
  to?: string
  seqs: Seq[]
}

/** Tests, builds and linters; other commands that change something; commands that only look. */
export type CommandPurpose = 'check' | 'act' | 'look'

/** A command that was run, however often. */
export interface CommandFact {
  /** The command line, shortened to one line. */
  command: string
  purpose?: CommandPurpose
  runs: number
  /** The outcome of the newest run; `unknown` while it runs. */
  outcome: 'ok' | 'failed' | 'unknown'
  exitCode?: number
  /** The most informative line of its newest output: an error, or a result. */
  detail?: string
  seqs: Seq[]
}

/** An error that an output showed, and what became of it. */
export interface ErrorFact {
  text: string
  seq: Seq
  /** The file or the command that it belongs to. */
  owner: string
  /** The command whose output showed it, if one did. */
  command?: string
  /** The entry that showed it to be gone. */
  resolvedBy?: Seq
  /** The files that were changed between the failure and the success of its command. */
  cure?: readonly string[]
}

export type NameKind = 'identifier' | 'path' | 'url' | 'sha' | 'ticket'

/** A word that an agent may have to write again with exact spelling. */
export interface NameFact {
  name: string
  kind: NameKind
  /** The file or the command that it is listed under, or '' for none. */
  owner: string
  /** How often it occurred in the input of a tool call. */
  calls: number
  /** How often it occurred anywhere else. With no calls: 0 if only a summary names it. */
  mentions: number
  lastSeq: Seq
  /** Use weighted by recency; comparable only between the names of one set of facts. */
  weight?: number
}

/** What the human said after a rule. */
export interface LaterWords {
  text: string
  seq: Seq
  /** It may be of another rule: they do not say which. */
  loose?: true
}

/** A standing rule of the human, word for word. */
export interface RuleFact {
  text: string
  seq: Seq
  /** The entry in which the human withdrew it. */
  retractedBy?: Seq
  /** What they said later of the same thing: the words that withdrew it, or that may change it. */
  later?: LaterWords[]
  /** The id of the person who said it, where that is not the owner. */
  by?: string
}

/**
 * A sentence that would be a rule if the human had said it, but may stand in a file, a selection or a
 * reminder that a client put into their place.
 */
interface QuotedFact {
  text: string
  seq: Seq
}

/** Something that the human asked for. */
export interface RequestFact {
  /** The human's own words, without attachments and a harness's additions. */
  text: string
  seq: Seq
  /** Who said it, where several people speak and the text does not begin with their name. */
  name?: string
  /** In the session of a sub-agent: the agent that started it asked, and no human. */
  by?: 'agent'
}

/**
 * Where a statement comes from: the text that ended a turn, one on the way, readable thinking, a
 * message that a command passed on (of a commit, of a pull request), a plan that was approved, a
 * question to the human with its answer, a sub-agent, a skill or the project's instructions, a
 * document that was read or written, comments that were written into code.
 */
export type StatementSource =
  | 'answer'
  | 'remark'
  | 'thought'
  | 'message'
  | 'plan'
  | 'asked'
  | 'report'
  | 'instructions'
  | 'document'
  | 'comment'

/** Words that were written in this session for a reader. */
export interface StatementFact {
  text: string
  seq: Seq
  source: StatementSource
  /** The file, the skill, the task or the command that it belongs to. */
  about?: string
  /** It belongs to a step or to a turn that changed something: it says what was done, and why. */
  worked?: true
  /** The whole of a document as it was then: what was read or written of it before says less. */
  whole?: true
  /** It was chosen before: a summary that came with the session tells it, in the words that it has. */
  carried?: true
  /** A newer one of the same kind about the same thing. */
  overtakenBy?: Seq
  /** The human's answer to it began with a no. */
  disputedBy?: Seq
}

/** What the outputs of Git said. */
export interface RepositoryFact {
  branch?: { name: string; seq: Seq }
  /** Newest last. */
  commits: { sha: string; subject: string; seq: Seq }[]
  pushedAt?: Seq
  /** The files that were changed after the newest commit of the session. */
  changed: Set<string>
}

/** An item of the agent's newest list. */
export interface TodoFact {
  text: string
  status: 'open' | 'active' | 'done'
  seq: Seq
  /** The harness's own number for it. */
  id?: string
}

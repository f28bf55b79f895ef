import type { EntryDraft } from '../log/entry.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ToolTable } from './handoff/tool-table.ts'

/**
 * A harness's session format: a folder each, on this one interface.
 * @example
 * const notes: Format = {
 *   name: 'notes',
 *   place: 'notes.txt',
 *   syntax: 'text',
 *   recognises: ([first]) => first === '# Notes',
 *   reader: notesReader,
 * }
 */
export interface Format {
  /** `claude-code`, `codex`, … */
  name: string
  /** Where the harness keeps its sessions, shown to a user who named another file. */
  place: string
  /**
   * What its files are made of, and so what a record is. `json`, the default: an object. Each line
   * is one where the file is JSON Lines; the whole document where it is one JSON object; each
   * object of the list where it is a JSON list. `text`: a line without its end, blank ones too.
   */
  syntax?: 'json' | 'text'
  /** The tools that its harness gives to a model, as far as others have some for the same work. */
  tools?: ToolTable
  /** Whether these first records of a file are in this format. */
  recognises: (records: readonly unknown[]) => boolean
  /** A fresh reader for one session; the ledger tells it what Throughline wrote into the file. */
  reader: (ledger?: Ledger) => FormatReader
}

/**
 * Turns records into entries, keeping only what the model saw. `push` may hold drafts back until it
 * knows that a message is complete; `end` returns the rest. Seqs inside drafts (bases, refs) count
 * the drafts returned so far, from 1. Neither ever throws, whatever a record contains.
 */
export interface FormatReader {
  push: (record: unknown) => EntryDraft[]
  end: () => EntryDraft[]
  /** What holds text that was not understood, of the records since the last call. */
  unread?: () => readonly string[]
  /** What the records have said about the session so far. */
  facts: () => SessionFacts
}

/** What a session file says about itself. */
export interface SessionFacts {
  id?: string
  model?: string
  /** The model's window in tokens, if the harness recorded it. */
  window?: number
  directory?: string
  /** What the harness calls the session, if somebody gave it a name. */
  title?: string
  /** The system prompt, if the harness recorded it. */
  system?: string
  /** How many records of a conversation the model never saw, by reason: `sidechain`, `duplicate`, … */
  omitted?: Readonly<Record<string, number>>
}

/**
 * A line of a file that is not one whole record. Never thrown: a session with a torn line is
 * still a session.
 */
export interface SkippedLine {
  /** Counted from 1. */
  line: number
  reason: string
  /** How many records were read from it anyway; 0 if it was skipped completely. */
  read: number
}

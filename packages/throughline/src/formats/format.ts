import type { EntryDraft } from '../log/entry.ts'

/** A harness's session format: one small file each, on this one interface. */
export interface Format {
  /** `claude-code`, `codex`, … */
  name: string
  /** Whether these first records of a file are of this format. */
  recognises: (records: readonly unknown[]) => boolean
  /** A fresh reader for one session. */
  reader: () => FormatReader
}

/**
 * Turns records into entries, keeping only what the model saw. `push` may hold
 * drafts back until it knows that a message is complete; `end` gives the rest.
 * Seqs inside drafts (bases, refs) count the drafts given so far, from 1.
 */
export interface FormatReader {
  push: (record: unknown) => EntryDraft[]
  end: () => EntryDraft[]
  /** What the records said of the session so far. */
  facts: () => SessionFacts
}

export interface SessionFacts {
  id?: string
  model?: string
  /** The model's window in tokens, where the harness recorded it. */
  window?: number
  directory?: string
  /** The system prompt, where the harness recorded it. */
  system?: string
}

/** A line that was skipped, and why. Never thrown: a session with a torn line is still one. */
export interface SkippedLine {
  /** Counted from 1. */
  line: number
  reason: string
}

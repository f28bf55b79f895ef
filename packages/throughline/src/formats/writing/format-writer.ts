import type { FinishReason, Origin, Seq } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { SessionFacts } from '../format.ts'

/** What a harness needs to resume a session: a context, and what is known about the session. */
export interface WrittenSession {
  /** The summary block; missing if nothing was compacted. */
  summary?: string
  /**
   * The messages after it, in the model's order, in parts that every harness can represent. The
   * results of a step are one message after it, one result per call and in the same order. Call ids
   * are valid and unique, inputs are objects, and provider-bound content such as reasoning is left
   * out.
   */
  messages: readonly WrittenMessage[]
  /** What the harness should call it. */
  title?: string
  facts: SessionFacts
}

/** A message as a writer gets it. */
export interface WrittenMessage {
  message: Message
  origin: Origin
  /** The entry that it came from, if it was made from a log. */
  seq?: Seq
  /** Milliseconds since 1970. */
  at: number
  model?: string
  finish?: FinishReason
}

/** What a written session needs from outside: its identity, time and place. */
export interface Identity {
  /** The id of the session: a UUID, whatever form the harness gives it. */
  session: string
  /** Returns a new UUID at every call. */
  newId: () => string
  /** Milliseconds since 1970. */
  now: number
  /** The absolute path of the folder in which the session continues. */
  directory: string
  /** The model that the harness uses, where its messages have to name one that it has. */
  model?: UsedModel | undefined
}

/** A model as a harness knows it. */
export interface UsedModel {
  provider: string
  model: string
}

/** A session file in the harness's own form. */
export interface WrittenFile {
  /** The id by which the harness resumes it. */
  session: string
  /** The whole file. */
  text: string
  /** Other files that the harness needs with this one, by their paths from its folder. */
  beside?: (file: string) => readonly { path: string; text: string }[]
  /** A line for a list in which the harness looks up what it calls its sessions, by the list’s path. */
  listed?: { path: string; line: string }
}

/**
 * Writes a session in a harness's own form: one small file each, behind this one interface. Usage
 * is zero or missing everywhere, because a stale count makes a client compact before its first
 * request.
 */
export interface FormatWriter {
  /** The name of the format that can read it back. */
  name: string
  /** Whether it writes one record a line, and not one document. */
  lines?: true
  write: (session: WrittenSession, identity: Identity) => WrittenFile
}

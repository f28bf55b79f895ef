import type { FinishReason, Origin } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { SessionFacts } from '../format.ts'

/** What a harness is to go on from: a context, and what is known of the session. */
export interface WrittenSession {
  /** The block that stands for what was compacted; none where nothing was. */
  summary?: string
  /**
   * What stands behind it, in the model's order, in parts that every harness has a form for. The
   * results of a step are one message behind it, one for each of its calls and in their order;
   * call ids are legal and unique, inputs are objects, and what is bound to a provider, such as
   * reasoning, is left out.
   */
  messages: readonly WrittenMessage[]
  facts: SessionFacts
}

export interface WrittenMessage {
  message: Message
  origin: Origin
  /** Milliseconds since 1970. */
  at: number
  model?: string
  finish?: FinishReason
}

/** What a written session gets from the world: who it is, when and where. */
export interface Identity {
  /** The id of the session: a UUID, whatever shape the harness gives it. */
  session: string
  /** A fresh UUID at every call. */
  newId: () => string
  /** Milliseconds since 1970. */
  now: number
  /** The absolute path of the folder in which the session goes on. */
  directory: string
}

/** A session file as its harness wants it. */
export interface WrittenFile {
  /** The id by which the harness resumes it. */
  session: string
  /** The whole file. */
  text: string
}

/**
 * Writes a session in a harness's own form: one small file each, on this one interface. Usage
 * is zero or absent everywhere: a stale count makes a client compact before its first request.
 */
export interface FormatWriter {
  /** The name of the format that reads it back. */
  name: string
  write: (session: WrittenSession, identity: Identity) => WrittenFile
}

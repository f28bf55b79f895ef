import { messageText, type UserMessage } from '../../log/message.ts'
import type { Continuation, Metadata } from '../../log/entry.ts'

/** What is known of a message that a compaction added so that the agent goes on. */
export interface ContinuationMark extends Metadata {
  compaction_continue: true
  /** The words of the continuation in this message. */
  text: string
  /** Nothing else is in this message. If roles must alternate, results may precede it. */
  alone: boolean
}

// Providers refuse fields that they do not know, so the mark is kept outside the message.
const marks = new WeakMap<object, ContinuationMark>()
const shown = new WeakMap<Continuation, UserMessage>()

/**
 * Says whether a compaction added this message, so that your chat can hide it: the `continue`
 * message, or the repeated request. It recognizes only the message objects that
 * `session.messages()`, `compactMessages`, `compactLog` and the `compact` functions of the SDK
 * adapters returned, not copies of them.
 * @example
 * const shown = messages.filter((message) => !continuationMark(message)?.alone)
 */
export function continuationMark(message: object): ContinuationMark | undefined {
  return marks.get(message)
}

/** The message of a continuation: an object of its own, also where it repeats another. */
export function continuationMessage(continuation: Continuation): UserMessage {
  let message = shown.get(continuation)
  if (!message) {
    message = { ...continuation.message }
    shown.set(continuation, message)
    const text = messageText(message)
    marks.set(message, { ...continuation.metadata, compaction_continue: true, text, alone: true })
  }
  return message
}

/** Marks the text of a continuation, alone or after other parts. */
export function markWritten(written: object, from: readonly object[]): void {
  const found = from.flatMap((message) => marks.get(message) ?? []).at(-1)
  if (!found) return
  const alone = from.every((message) => marks.has(message))
  marks.set(written, { ...found, alone })
}

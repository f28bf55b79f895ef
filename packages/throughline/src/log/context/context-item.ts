import type {
  Continuation,
  FinishReason,
  Metadata,
  Origin,
  ProviderBlock,
  Replacement,
  Seq,
} from '../entry.ts'
import type { Message, ToolMessage } from '../message.ts'

/** One thing that the model sees, before it gets a provider's shape. */
export type ContextItem =
  | SummaryItem
  | MessageItem
  | OmissionItem
  | PinItem
  | ContinuationItem
  | LateItem

/** The summary at the beginning of a context, with the pins. */
export interface SummaryItem {
  type: 'summary'
  seq: Seq
  summary: string
  /** Pinned texts, word for word, in the order in which they were pinned. */
  pins: readonly string[]
  /** Texts that were once pinned but no longer are. */
  takenBack: readonly string[]
  /** What stands in its place while its provider reads it. */
  block?: ProviderBlock
}

/** A message of the log as the context shows it. */
export interface MessageItem {
  type: 'message'
  seq: Seq
  message: Message
  origin: Origin
  finish?: FinishReason
  metadata?: Metadata
  replacements?: readonly Replacement[]
  /**
   * What stands before it is not what it was said behind: a provider may refuse its reasoning.
   * `bare` where it is sent without.
   */
  kept?: 'whole' | 'bare'
  /** A provider's compaction in it is for another provider, or was refused: it is not sent. */
  unread?: true
}

/** A marker for entries that are left out between two kept ones. */
interface OmissionItem {
  type: 'omission'
  seq: Seq
  from: Seq
  to: Seq
  text: string
}

/** A pinned text that no summary holds yet. */
interface PinItem {
  type: 'pin'
  seq: Seq
  text: string
}

/** What tells the model how to go on after a compaction. */
export interface ContinuationItem {
  type: 'continuation'
  seq: Seq
  continuation: Continuation
}

/** A tool result that came after its call was closed; the model reads it as text. */
export interface LateItem {
  type: 'late'
  seq: Seq
  message: ToolMessage
}

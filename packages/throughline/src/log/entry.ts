import type { Message, UserMessage } from './message.ts'

/**
 * Where refs were made: a session of a store or of a harness, by its id, or a file, by its path.
 * A context that travels into another log names it, because a bare ref would point into that log.
 */
export interface Source {
  kind: 'session' | 'file'
  name: string
}

/** The sources that a text or an entry names, by the short name before their refs. */
export type Sources = Readonly<Record<string, Source>>

/** Whether an entry says that a text was removed from every entry. */
export function isRedaction(entry: Entry): boolean {
  return entry.kind === 'observation' && entry.observation.type === 'redaction'
}

/** A position in a session: 1, 2, 3…, assigned by the store. There is no other order. */
export type Seq = number

/** `seq` or `seq.part`; parts count from 0. A ref never changes, and reads back the original. */
export type Ref = `${number}` | `${number}.${number}`

/** Who really made a message. Only a `human` message starts a turn or states a rule. */
export type Origin = 'human' | 'harness' | 'model' | 'tool' | 'synthetic'

/** Why the model stopped, in the AI SDK's words. */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'content-filter'
  | 'tool-calls'
  | 'error'
  | 'aborted'
  | 'other'

/** Tokens that a provider reported for one request. */
export interface Usage {
  /** All input tokens, cached ones included. */
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number
  cacheWriteTokens?: number
  /**
   * Tokens that the provider itself left out of this request; `inputTokens` does not include them.
   */
  clearedTokens?: number
}

/** The total of requests to a model, in tokens and money. */
export interface Spending extends Usage {
  /** How many requests; retries after an error count as the same request. */
  calls: number
  /** US dollars; only if the price of each answer is known. */
  cost?: number
}

/** The keys that the seeds use, and anything else a host wants to store. */
export interface Metadata {
  compaction_continue?: boolean
  had_media?: boolean
  time?: { compacted?: number }
  /** The cost of a checkpoint's summary, including failed attempts. */
  spent?: Spending
  /** The logs that refs in the entry's text belong to, by the short name before them. */
  sources?: Sources
  [key: string]: unknown
}

/** An entry before the store has assigned its position. `at` is in milliseconds since 1970. */
export type EntryDraft =
  | MessageDraft
  | PruneDraft
  | CheckpointDraft
  | PinDraft
  | UnpinDraft
  | RewindDraft
  | ObservationDraft

/** One line of a session's log. Nothing but entries changes what the model sees. */
export type Entry = EntryDraft & { readonly seq: Seq }
/** An entry of one kind, with its seq. */
export type EntryOf<Kind extends EntryDraft['kind']> = Extract<EntryDraft, { kind: Kind }> & {
  readonly seq: Seq
}

/** A message before it has a seq, with what is known about it. `at` is in milliseconds since 1970. */
export interface MessageDraft {
  kind: 'message'
  at: number
  message: Message
  origin: Origin
  model?: string
  usage?: Usage
  finish?: FinishReason
  metadata?: Metadata
}

/** Tool outputs and inputs that the model no longer sees in full. */
export interface PruneDraft {
  kind: 'prune'
  at: number
  /** The newest entry when the plan was made. */
  base: Seq
  replacements: Replacement[]
  metadata: Metadata
}

/** The replacement of the part at `ref`: text, or a smaller input of a tool call. */
export type Replacement =
  | { how: 'pruned' | 'clipped' | 'described'; ref: Ref; text: string }
  | { how: 'clipped'; ref: Ref; input: unknown }

/** A successful compaction, including its continuation. */
export interface CheckpointDraft {
  kind: 'checkpoint'
  at: number
  /** The newest entry when the plan was made: the condition of the commit. */
  base: Seq
  summary: string
  /** `local`, or the name of the summarizer that wrote it. */
  summarizer: string
  tail: TailItem[]
  continuation: Continuation | null
  /** What a provider made of the same head; sent in place of the summary while it reads it. */
  block?: ProviderBlock
  metadata: Metadata
}

/** A provider's own compaction of a head: only that provider can read it. */
export interface ProviderBlock {
  /** Who reads it: `openai`, `anthropic`. */
  provider: string
  /** What made it, as shown in reports. */
  by: string
  /** As they are sent, first of all. */
  messages: Message[]
  /** What code adds after it, because an encrypted text cannot be checked: rules, the latest request. */
  standing: string
}

/** The message that makes the agent continue. Models see it, users never do. */
export interface Continuation {
  kind: 'unanswered' | 'media' | 'mid-task'
  message: UserMessage
  /**
   * Always `compaction_continue: true`; also `had_media: true` if media were replaced with text.
   */
  metadata: Metadata
  /** The human message that it repeats, and the replacements of its media. */
  of?: Seq
  replacements?: Replacement[]
}

/** What a checkpoint keeps of the log, in the model's order. */
export type TailItem = KeptEntry | Omission

interface KeptEntry {
  type: 'entry'
  seq: Seq
  replacements?: Replacement[]
}

/** Steps left out between two kept ones; the text tells the model so. */
export interface Omission {
  type: 'omission'
  from: Seq
  to: Seq
  text: string
}

/** Text that no compaction may lose: its own, or that of the part at `ref`. */
interface PinDraft {
  kind: 'pin'
  at: number
  text: string
  ref?: Ref
}

/** Takes back the pin that was made at `pin`. `at` is in milliseconds since 1970. */
interface UnpinDraft {
  kind: 'unpin'
  at: number
  pin: Seq
}

/**
 * The view returns to its state at `to`. Entries from `resume` on, if given, stay on top of it:
 * undoing the checkpoint at `c` is `{ to: c - 1, resume: c + 1 }`.
 */
export interface RewindDraft {
  kind: 'rewind'
  at: number
  to: Seq
  resume?: Seq
}

/** What the engine learned. Never seen by the model. */
export interface ObservationDraft {
  kind: 'observation'
  at: number
  observation: Observation
}

/** What was observed: never shown to the model. */
export type Observation =
  /** A provider's usage for the request that ended before this entry. */
  | { type: 'usage'; model?: string; usage: Usage; estimate: number }
  /**
   * The window that a provider's overflow error named. `assumed` if it named none: the refused
   * request only shows that something smaller is needed, until the next compaction.
   */
  | { type: 'limit'; model?: string; tokens: number; assumed?: true }
  /** Real tokens per estimated token, per model. */
  | { type: 'calibration'; model?: string; ratio: number }
  /**
   * The summaries of a compaction failed; three failures in a row open the breaker. `spent` is
   * their cost, unless a checkpoint of the same compaction records it.
   */
  | { type: 'failure'; summarizer: string; problems: string[]; spent?: Spending }
  /** Entries whose text was overwritten: anyone who has read them must read them again. */
  | { type: 'redaction'; seqs: Seq[] }
  /**
   * The provider refused the reasoning of steps that stand behind other things than before, or a
   * call without it: the request that is made again is without it, or without such calls.
   */
  | { type: 'reasoning'; model?: string; provider: 'refuses' | 'demands' }
  /** The provider refused its own compactions: the messages that they replaced are sent instead. */
  | { type: 'blocks'; provider: 'refuses' }
  /** What a host or a format wants to remember: a bad line, a foreign boundary. */
  | { type: 'note'; name: string; data: unknown }

/** An entry without its position, so that it can be added to another session. */
export function draftOf(entry: Entry): EntryDraft {
  const { seq: _, ...draft } = entry
  return draft
}

const viewChanges: ReadonlySet<Entry['kind']> = new Set(['checkpoint', 'prune', 'rewind'])

/** Whether an entry changes what the model sees of earlier entries. */
export function changesView({ kind }: Entry): boolean {
  return viewChanges.has(kind)
}

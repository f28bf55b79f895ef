import type { Origin, Ref, Seq, Source } from '../log/entry.ts'
import type { RuleFact } from '../facts/facts.ts'

/** What a context consists of. `fixed` is the system prompt, the tools, and what no file holds. */
export const kinds = [
  'fixed',
  'summary',
  'human',
  'harness',
  'assistant',
  'thinking',
  'calls',
  'results',
] as const
export type Kind = (typeof kinds)[number]

/** Tokens of the model, by kind. */
export type KindTokens = Record<Kind, number>

/**
 * Everything that a report shows of a session: plain data that JSON holds. All sizes are in tokens
 * of the model, all money is in US dollars, all times are in milliseconds since 1970.
 */
export interface ReportModel {
  version: 1
  session: ReportedSession
  window: ReportedWindow
  requests: Requests
  /** Compactions and prunings, oldest first, from any program. */
  compactions: Compaction[]
  rewinds: ReportedRewind[]
  now: NowFilled
  money: Money
  standing: Standing
  /** What a compaction would do now, without a model; or why there is none. */
  next: NextCompaction | { reason: string }
  pins: { seq: Seq; text: string; ref?: Ref }[]
  entries: LoggedEntry[]
}

interface ReportedSession {
  name: string
  format: string
  id?: string
  model?: string
  directory?: string
  /** The beginning of the first thing that the human asked for. */
  title?: string
  from: number
  to: number
  entries: number
  steps: number
  skipped: number
  /** Its name in the store. */
  stored?: string
}

interface ReportedWindow {
  context: number
  /** What a request may hold. */
  usable: number
  /** From here on, Throughline compacts. */
  threshold: number
  /** Where the size of the window comes from. */
  from: string
}

/** Every request to the model, oldest first, one column for each figure. */
export interface Requests {
  /** The entry of the answer. */
  seq: Seq[]
  at: number[]
  /** What was sent. */
  tokens: number[]
  /** 1 where the provider counted, 0 where we estimate. */
  counted: (0 | 1)[]
  output: number[]
  cacheRead: number[]
  cacheWrite: number[]
  /** What the request and its answer cost; null where the model has no known price. */
  dollars: (number | null)[]
  /** What filled it; the kinds add up to `tokens`. */
  kinds: Record<Kind, number[]>
}

export interface ReportedRewind {
  seq: Seq
  at: number
  to: Seq
  /** It undid this compaction, and left what came after it. */
  undid?: Seq
  /** How many requests came before. */
  request: number
}

/** What happened to one message of a context by a compaction. */
export type Fate = 'kept' | 'clipped' | 'pruned' | 'summarized' | 'dropped' | 'replaced'

/** One message of a context before a compaction. */
export interface BeforeRow {
  seq: Seq
  what: string
  fate: Fate
  before: number
  after: number
}

/** One thing that the model sees after it. */
export interface AfterRow {
  seq: Seq
  what: string
  is: 'summary' | 'kept' | 'clipped' | 'pruned' | 'note'
  tokens: number
  /** The text there, if it isn't the entry's own. */
  text?: string
}

export interface SummaryLine {
  text: string
  /** What it cites itself. */
  refs: Ref[]
  /** What it cites of the sessions that its summary came from. */
  elsewhere: { source: Source; ref: Ref }[]
  /** Entries that code found for it, because they hold a name or the words in it. */
  found: Seq[]
}

interface Shrinking {
  before: number
  after: number
  /** Who wrote the summary: `local`, a client, a model; '' for a pruning. */
  by: string
  /** Missing where it happened too long ago to be compared; only its figures are known. */
  detail?: Comparison
}

export interface Comparison {
  /** The summary is encrypted: only its provider knows what it says. */
  unreadable?: true
  rows: BeforeRow[]
  result: AfterRow[]
  summary: SummaryLine[]
  forgot: Forgotten
  standing: Standing
}

export interface Compaction extends Shrinking {
  seq: Seq
  at: number
  kind: 'summary' | 'pruning'
  /** How many requests came before. */
  request: number
  /** A later compaction took its place, or it was undone. */
  state: 'in force' | 'replaced' | 'undone'
  /** `auto`, `manual` and so on, if the log says so. */
  trigger?: string
  spent?: number
}

export interface NextCompaction extends Shrinking {
  kind: 'summary' | 'pruning'
}

/** A thing that was in the context before a compaction and is not there after it. */
export interface Lost {
  name: string
  seq: Seq
}

/** What a compaction forgot, by name. */
export interface Forgotten {
  rules: Lost[]
  requests: Lost[]
  changed: Lost[]
  read: Lost[]
  commands: Lost[]
  errors: Lost[]
  /** Parts that the model sees no more, by kind. */
  parts: { results: number; skills: number; media: number; reasoning: number; human: number }
}

/** Whether what matters is in a context, found by searching for it. */
export interface Standing {
  rules: (Pick<RuleFact, 'text' | 'seq' | 'retractedBy'> & { in: boolean })[]
  requests: { text: string; seq: Seq; in: 'whole' | 'in part' | 'no' }[]
  files: { path: string; state: string; seq: Seq; in: boolean }[]
}

export interface Filling {
  name: string
  tokens: number
  count: number
}

/** What fills the context now. */
interface NowFilled {
  tokens: number
  /** Whether the figure is the provider's own. */
  counted: boolean
  kinds: KindTokens
  tools: Filling[]
  files: Filling[]
}

/** What an entry has cost by being sent again and again. */
export interface Carried {
  seq: Seq
  what: string
  tokens: number
  /** In how many requests it was sent. */
  times: number
  /** Null where no price is known. */
  dollars: number | null
  here: boolean
}

export interface Money {
  /** Null where no request has a known price. */
  dollars: number | null
  requests: number
  /** Requests whose model has no known price. */
  unpriced: number
  /** Requests whose tokens are estimated, and what the cache held of them. */
  estimated: number
  input: MoneyPart
  cacheRead: MoneyPart
  cacheWrite: MoneyPart
  output: MoneyPart
  summaries: number
  /** What the input cost, shared out by size. */
  kinds: KindTokens
  /** The costliest entries first. */
  carried: Carried[]
  /** The next request with the context as it is, and compacted; its answer aside. */
  next?: { now: number; compacted: number; first: number }
}

interface MoneyPart {
  tokens: number
  dollars: number
}

/** An entry of the log, with what people read of it. */
export interface LoggedEntry {
  seq: Seq
  at: number
  what: LoggedWhat
  tokens: number
  /** Whether the model sees it now: whole, shortened, in a summary's words at most, or rewound. */
  now: 'whole' | 'clipped' | 'pruned' | 'gone' | 'rewound' | 'never'
  parts: LoggedPart[]
  model?: string
}

export type LoggedWhat =
  | Origin
  | 'system'
  | 'checkpoint'
  | 'prune'
  | 'pin'
  | 'unpin'
  | 'rewind'
  | 'note'

export type LoggedPart =
  | { type: 'text' | 'thinking'; text: string; cut?: number }
  | { type: 'call'; id: string; tool: string; subject: string; text: string; cut?: number }
  | { type: 'result'; id: string; tool: string; text: string; failed?: true; cut?: number }
  | { type: 'media'; text: string }

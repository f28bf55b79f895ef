import type { Fields } from '../body/json.ts'

export interface OwnTool {
  name: string
  description: string
  /** JSON Schema. */
  schema: object
}

export interface OwnCall {
  id: string
  name: string
  input: unknown
}

export interface OwnResult {
  call: OwnCall
  text: string
}

/** An answer of the model that called our tools alone, and what they gave. */
export interface Round {
  parts: readonly Fields[]
  results: readonly OwnResult[]
}

/** What a client has not seen: it stands behind the request with which it began. */
export interface Exchange {
  rounds: readonly Round[]
  /** Calls of ours, alone, that stood beside calls of the client. */
  beside: Round | undefined
}

/** An event of a stream, with its own bytes. */
export interface RawEvent {
  raw: string
  /** `undefined` for what is no JSON, such as `[DONE]`. */
  data: Fields | undefined
}

/** Takes our calls out of the streams of one answer, which may come in several rounds. */
export interface StreamFilter {
  /** What the client gets for an event, at once. */
  pass: (event: RawEvent) => string
  /** All parts of this round, as the provider must get them back. */
  peek: () => Fields[]
  /** Nothing of this round's end is shown: the next one begins. */
  takeRound: () => void
  /** How the answer ends for the client. `finish` says that no call is left. */
  end: (options: { isFinished: boolean }) => string
}

/** How one API tells of tools, calls and results. */
export interface ToolWire {
  /** Tools with ours behind them; `undefined` where the request has none that a model may call. */
  withTools: (tools: unknown, own: readonly OwnTool[]) => Fields[] | undefined
  /** Whether an answer may have parts that its client never sees; by default it may. */
  mayHide?: (field: (name: string) => unknown) => boolean
  names: (tools: unknown) => string[]
  /** The call that a part is. */
  callOf: (part: Fields) => OwnCall | undefined
  /** Whether a part waits for the client: a call of any kind that it must answer. */
  waits: (part: Fields) => boolean
  /** The parts of a whole answer, and that answer with others. */
  partsOf: (answer: Fields) => Fields[]
  /** The parts of several rounds as those of one answer. */
  joined: (parts: readonly Fields[]) => Fields[]
  withParts: (answer: Fields, parts: readonly Fields[], options: { isFinished: boolean }) => Fields
  filter: (isOwn: (call: OwnCall) => boolean) => StreamFilter
  /** A round as elements of a request. */
  said: (round: Round) => Fields[]
  /**
   * What a client sends behind an exchange, as the provider said it: without what the rounds before
   * have said already, and with the calls that stood beside its own.
   */
  restored: (following: readonly Fields[], exchange: Exchange) => Fields[]
}

export function withoutBeginning(text: string, beginning: string): string {
  return beginning !== '' && text.startsWith(beginning) ? text.slice(beginning.length) : text
}

/** Arguments as a model wrote them, which may be no JSON. */
export function inputIn(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    return {}
  }
}

export function eventText(data: Fields, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

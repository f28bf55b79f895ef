import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { errorLine } from '../log/error-line.ts'
import { countOf, fieldsOf, nameOf, parsedJson } from '../json/fields.ts'
import { foldersOf } from '../config/folders.ts'
import type { Cold } from '../compaction/cold-cache.ts'

const most = 3

/** Counts what fails in a plugin: after three failures in a row it leaves its client alone. */
export class Failures {
  #row = 0

  /** Something has worked. */
  over(): void {
    this.#row = 0
  }

  /** What this failure is in words, and whether it is one too many. */
  add(error: unknown): { reason: string; isLast: boolean } {
    this.#row += 1
    return {
      reason: errorLine(error instanceof Error ? error : String(error)),
      isLast: this.#row === most,
    }
  }
}

/** Why a plugin steps aside for good. */
export function failedTooOften(reason: string): string {
  return `it failed ${most} times in a row: ${reason}`
}

/** How many rules and changed files a summary keeps. */
export interface Kept {
  rules: number
  files: number
}

/** What a client's plugin did, one line each in the client's file below the data folder. */
export interface ClientRecord {
  /** Milliseconds since 1970. */
  at: number
  client: string
  /** The client's own version, as far as it says one. */
  version?: string
  session?: string
  event: ClientEvent
  /** Who wrote the summary of a compaction; missing where it only made outputs shorter. */
  by?: SummaryAuthor
  /** Why the provider's cache was cold, where a compaction was done before it was due. */
  early?: Cold
  /** The size of the next request in tokens, before and after a compaction. */
  before?: number
  after?: number
  kept?: Kept
  /** How long the client waited, in milliseconds. */
  ms?: number
  /** The name of a request for a summary: of one there are two records, the second with its outcome. */
  call?: string
  became?: CallOutcome
  /** Which compaction of its session it was, counted from 1: a hook that is slow may write late. */
  compaction?: number
  /** Why it stepped aside, what failed, or why a request was of no use, in one line. */
  reason?: string
}

/**
 * `step-aside`: from here on the client compacts by itself, as if no plugin were there; `call`: the
 * client’s model is asked for a summary.
 */
type ClientEvent = 'start' | 'compaction' | 'step-aside' | 'error' | 'call'

/**
 * What became of a request for a summary: `used`; `rejected`, since its answer was not good enough;
 * `late`, when code had written one; `failed` without an answer; `unneeded` by the time it came.
 */
export type CallOutcome = 'used' | 'rejected' | 'late' | 'failed' | 'unneeded'

/** `client-model`: the client's own model, asked by us; `client`: the client's own compaction. */
export type SummaryAuthor = 'client-model' | 'local' | 'client'

const events: ReadonlySet<unknown> = new Set([
  'start',
  'compaction',
  'step-aside',
  'error',
  'call',
] satisfies ClientEvent[])
const outcomes: ReadonlySet<unknown> = new Set([
  'used',
  'rejected',
  'late',
  'failed',
  'unneeded',
] satisfies CallOutcome[])
const authors: ReadonlySet<unknown> = new Set(['client-model', 'local', 'client'])
const colds: ReadonlySet<unknown> = new Set(['other-model', 'gap', 'resume'] satisfies Cold[])

type Environment = Readonly<Record<string, string | undefined>>

/** The file of a client's records; `undefined` where the environment names no data folder. */
export function clientRecordFile(client: string, env: Environment): string | undefined {
  const { data, path } = foldersOf(env)
  return data && path.join(data, 'clients', `${client.replace(/[^\w.-]/g, '_')}.jsonl`)
}

// A line has about 200 bytes: some thousands of compactions.
const mostBytes = 1_000_000

/**
 * Appends a record; the file of before is kept beside it when it has grown too long. Returns
 * whether it was written: a full disk must not stop the client whose plugin calls this.
 */
export function writeClientRecord(record: ClientRecord, env: Environment): boolean {
  const file = clientRecordFile(record.client, env)
  if (file === undefined) return false
  const { reason, ...facts } = record
  const line = { ...facts, ...(reason !== undefined && { reason: errorLine(reason) }) }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostBytes) {
      renameSync(file, `${file}.old`)
    }
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/**
 * The newest records of a client, oldest first, at most as many as stand in the last 200 kB; none
 * if its plugin has never run. Lines that are no records are left out.
 */
export function readClientRecords(client: string, env: Environment): ClientRecord[] {
  const file = clientRecordFile(client, env)
  const text = file === undefined ? '' : endOf(file)
  return text.split('\n').flatMap((line) => recordIn(line, client) ?? [])
}

const mostRead = 200_000

/** What became of the requests for summaries that the records tell of; of some nobody knows. */
export function callsIn(records: readonly ClientRecord[]): (CallOutcome | 'unknown')[] {
  const calls = new Map<string, CallOutcome | 'unknown'>()
  for (const { call, became } of records) {
    if (call !== undefined) calls.set(call, became ?? calls.get(call) ?? 'unknown')
  }
  return [...calls.values()]
}

function endOf(file: string): string {
  let open: number
  try {
    open = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
  try {
    const { size } = fstatSync(open)
    const start = Math.max(0, size - mostRead)
    const bytes = Buffer.alloc(size - start)
    const length = readSync(open, bytes, 0, bytes.length, start)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(open)
  }
}

function recordIn(line: string, client: string): ClientRecord | undefined {
  const fields = fieldsOf(parsedJson(line))
  const at = countOf(fields?.['at'])
  const event = fields?.['event']
  if (!fields || at === undefined || !isEvent(event)) return undefined
  const { by, early, became } = fields
  const found = {
    version: nameOf(fields['version']),
    session: nameOf(fields['session']),
    by: isAuthor(by) ? by : undefined,
    early: isCold(early) ? early : undefined,
    before: countOf(fields['before']),
    after: countOf(fields['after']),
    kept: keptOf(fields['kept']),
    ms: countOf(fields['ms']),
    call: nameOf(fields['call']),
    became: isOutcome(became) ? became : undefined,
    compaction: countOf(fields['compaction']),
    reason: nameOf(fields['reason']),
  }
  const known = Object.entries(found).filter(([, value]) => value !== undefined)
  return { at, client, event, ...Object.fromEntries(known) }
}

function keptOf(value: unknown): Kept | undefined {
  const fields = fieldsOf(value)
  const [rules, files] = [countOf(fields?.['rules']), countOf(fields?.['files'])]
  return rules === undefined || files === undefined ? undefined : { rules, files }
}

function isEvent(value: unknown): value is ClientEvent {
  return events.has(value)
}

function isCold(value: unknown): value is Cold {
  return colds.has(value)
}

function isOutcome(value: unknown): value is CallOutcome {
  return outcomes.has(value)
}

function isAuthor(value: unknown): value is SummaryAuthor {
  return authors.has(value)
}

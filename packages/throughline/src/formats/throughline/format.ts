import { fieldsOf, isShallow, type Fields } from '../../json/fields.ts'
import { headerIn, type Header } from './export-session.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../reading/grown-log.ts'
import { addFacts, type StoredFacts } from '../stored/facts.ts'
import { decodeEntry } from '../../stores/sqlite/payload.ts'
import { parseRef } from '../../log/ref.ts'
import type { Format, FormatReader, SessionFacts } from '../format.ts'
import type { EntryDraft, Seq } from '../../log/entry.ts'

/** Whether a value of unknown origin has a certain shape. */
type Shape = (value: unknown) => boolean

const anything: Shape = () => true
const text: Shape = (value) => typeof value === 'string'
const flag: Shape = (value) => typeof value === 'boolean'
const amount: Shape = (value) => typeof value === 'number' && Number.isFinite(value)
const seq: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0

function oneOf(...values: readonly string[]): Shape {
  return (value) => typeof value === 'string' && values.includes(value)
}

function listOf(item: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(item)
}

function either(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value))
}

/**
 * An object with these fields; those whose name ends in `?` are optional, and others are allowed.
 */
function object(fields: Readonly<Record<string, Shape>> = {}): Shape {
  const checks = Object.entries(fields).map(([name, shape]) => ({
    name: name.replace(/\?$/, ''),
    shape: name.endsWith('?') ? either(missing, shape) : shape,
  }))
  return (value) => {
    const own = fieldsOf(value)
    return own !== undefined && checks.every(({ name, shape }) => shape(own[name]))
  }
}

/** An object whose field of this name says which of the shapes it has. */
function taggedBy(
  name: string,
  shapes: Readonly<Record<string, Shape>>,
  other: Shape = () => false,
): Shape {
  const known = new Map(Object.entries(shapes))
  return (value) => {
    const tag = fieldsOf(value)?.[name]
    return typeof tag === 'string' && (known.get(tag) ?? other)(value)
  }
}

function missing(value: unknown): boolean {
  return value === undefined
}

// A file may come from anybody, so everything that the views read of an entry must be as expected.

const ref: Shape = (value) => typeof value === 'string' && parseRef(value) !== undefined

const output = taggedBy('type', {
  text: object({ value: text }),
  json: object(),
  'error-text': object({ value: text }),
  'error-json': object(),
  'execution-denied': object({ 'reason?': text }),
  content: object({ value: listOf(object({ type: text, 'text?': text })) }),
})

const part = taggedBy(
  'type',
  {
    text: object({ text }),
    reasoning: object({ text }),
    image: object({ 'mediaType?': text }),
    file: object({ mediaType: text, 'filename?': text }),
    'tool-call': object({ toolCallId: text, toolName: text }),
    'tool-result': object({ toolCallId: text, toolName: text, output }),
    'tool-approval-request': object({ approvalId: text, toolCallId: text }),
    'tool-approval-response': object({ approvalId: text, approved: flag }),
  },
  anything,
)

const parts = listOf(part)

const message = taggedBy('role', {
  system: object({ content: text }),
  user: object({ content: either(text, parts) }),
  assistant: object({ content: either(text, parts) }),
  tool: object({ content: parts }),
})

const usage = object({
  inputTokens: amount,
  outputTokens: amount,
  'cacheReadTokens?': amount,
  'cacheWriteTokens?': amount,
})

const replacements = listOf(
  either(
    object({ how: oneOf('pruned', 'clipped', 'described'), ref, text }),
    object({ how: oneOf('clipped'), ref, input: (value) => value !== undefined }),
  ),
)

const tailItem = taggedBy('type', {
  entry: object({ seq, 'replacements?': replacements }),
  omission: object({ from: seq, to: seq, text }),
})

const continuation = object({
  kind: oneOf('unanswered', 'media', 'mid-task'),
  message,
  metadata: object(),
  'of?': seq,
  'replacements?': replacements,
})

const observation = taggedBy('type', {
  usage: object({ 'model?': text, usage, estimate: amount }),
  limit: object({ 'model?': text, tokens: amount }),
  calibration: object({ 'model?': text, ratio: amount }),
  failure: object({ summarizer: text, problems: listOf(text) }),
  redaction: object({ seqs: listOf(seq) }),
  reasoning: object({ 'model?': text, provider: oneOf('refuses', 'demands') }),
  note: object({ name: text }),
})

/** Whether this is an entry, as far as anything reads it. */
const isEntry = taggedBy('kind', {
  message: object({
    at: amount,
    message,
    origin: oneOf('human', 'harness', 'model', 'tool', 'synthetic'),
    'model?': text,
    'usage?': usage,
    'finish?': text,
    'metadata?': object(),
  }),
  prune: object({ at: amount, base: seq, replacements, metadata: object() }),
  checkpoint: object({
    at: amount,
    base: seq,
    summary: text,
    summarizer: text,
    tail: listOf(tailItem),
    continuation: either((value) => value === null, continuation),
    metadata: object(),
  }),
  pin: object({ at: amount, text, 'ref?': ref }),
  unpin: object({ at: amount, pin: seq }),
  rewind: object({ at: amount, to: seq, 'resume?': seq }),
  observation: object({ at: amount, observation }),
})

interface State {
  drafts: DraftQueue
  header: Header | undefined
  facts: StoredFacts
  at: number
  lost: Record<Lost, number>
}

/** Why an entry is missing. */
type Lost = 'damaged' | 'missing'

// Missing lines are replaced with notes, but a file that names very high seqs is not filled up to
// them.
const mostMissing = 10_000

/** A fresh reader for one exported session. What is lost leaves its seq, so that refs stay true. */
function throughlineReader(): FormatReader {
  const state: State = {
    drafts: draftQueue(),
    header: undefined,
    facts: {},
    at: 0,
    lost: { damaged: 0, missing: 0 },
  }
  return {
    push(value) {
      const record = fieldsOf(value)
      if (record) readRecord(state, record)
      return takeReady(state.drafts)
    },
    end: () => takeReady(state.drafts),
    facts: () => factsOf(state),
  }
}

function readRecord(state: State, record: Fields): void {
  state.header ??= headerIn(record)
  const entry = entryIn(record)
  if (!entry || !makeRoom(state, entry.seq)) return
  if (!entry.draft) return giveLost(state, 'damaged')
  state.at = entry.draft.at
  addFacts(state.facts, entry.draft)
  give(state.drafts, entry.draft)
}

/** Keeps the seqs of entries that are not there; says no to an entry whose seq is taken. */
function makeRoom(state: State, seq: Seq): boolean {
  const missing = seq - state.drafts.given - 1
  if (missing < 0 || state.lost.missing + missing > mostMissing) return false
  for (let count = 0; count < missing; count++) giveLost(state, 'missing')
  return true
}

function giveLost({ drafts, at, lost }: State, reason: Lost): void {
  lost[reason] += 1
  const note: EntryDraft = {
    kind: 'observation',
    at,
    observation: { type: 'note', name: 'lost-entry', data: { reason } },
  }
  give(drafts, note)
}

function factsOf({ header, facts, lost, drafts }: State): SessionFacts {
  const cutOff = Math.max(0, (header?.entries ?? 0) - drafts.given)
  const omitted = { ...facts.omitted, ...lost, missing: lost.missing + cutOff }
  const some = Object.entries(omitted).filter(([, count]) => count > 0)
  return {
    ...facts,
    ...(header?.id !== undefined && { id: header.id }),
    ...(some.length > 0 && { omitted: Object.fromEntries(some) }),
  }
}

/** Throughline's own format, written by {@link exportSession}. */
export const throughline: Format = {
  name: 'throughline',
  place: 'the output of throughline export',
  recognises: (records) => records.some((record) => headerIn(record) || isOwnEntry(record)),
  reader: throughlineReader,
}

/** Also if the first line is lost. */
function isOwnEntry(record: unknown): boolean {
  const fields = fieldsOf(record)
  return fields !== undefined && entryIn(fields)?.draft !== undefined
}

/** An entry of a file, and the seq that it has in its log. */
interface PlacedDraft {
  seq: Seq
  /** `undefined` if it is damaged. */
  draft: EntryDraft | undefined
}

// Deeper than any legitimate value, but not so deep that later code runs out of stack.
const deepest = 500

/** The entry in a record; `undefined` if it isn't one. */
function entryIn(record: Fields): PlacedDraft | undefined {
  const { seq } = record
  if (!isSeq(seq) || typeof record['kind'] !== 'string') return undefined
  return { seq, draft: draftIn(record, seq) }
}

function isSeq(value: unknown): value is Seq {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function draftIn(record: Fields, seq: Seq): EntryDraft | undefined {
  if (!isShallow(record, deepest)) return undefined
  try {
    const { seq: _, ...draft } = decodeEntry(JSON.stringify(record), seq)
    return isEntry(draft) ? draft : undefined
  } catch {
    // Values marked as bytes, dates and the like that aren't.
    return undefined
  }
}

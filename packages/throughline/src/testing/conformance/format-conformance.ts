import { contextOf } from '../../log/context/context.ts'
import { entryAt, chronological, type Chronological } from '../../log/order.ts'
import { partsOf } from '../../log/message.ts'
import { readRef } from '../../log/ref.ts'
import type { Format } from '../../formats/format.ts'
import type { EntryDraft, Seq } from '../../log/entry.ts'

/** One promise that every format keeps; `run` throws if it is broken. */
export interface ConformanceCase {
  name: string
  run: () => void
}

/** A file of a format and what a reader must find in it. */
export interface FormatSample {
  format: Format
  /** The records of one whole session, as the harness wrote them: calls, results, a compaction. */
  records: readonly unknown[]
  /** Where a whole session is one record: the record of a session in which this was said. */
  recordOf?: (said: readonly unknown[]) => unknown
}

/**
 * What any reader of a session format must do, whatever the harness.
 * @example
 * for (const { name, run } of formatConformance({ format: codex, records })) test(name, run)
 */
export function formatConformance({ format, records }: FormatSample): ConformanceCase[] {
  return [
    {
      name: 'recognizes its own records and no others',
      run: () => {
        expect(format.recognises(records), 'its own records are not recognized')
        for (const others of strangers) {
          expect(!format.recognises(others), `${JSON.stringify(others)} is recognized`)
        }
      },
    },
    {
      name: 'returns the same drafts every time, from readers that share nothing',
      run: () => {
        const [one, other] = [format.reader(), format.reader()]
        const drafts = records.map((record) => [one.push(record), other.push(record)])
        for (const [left, right] of drafts) expect(same(left, right), 'two readers disagree')
        expect(same(one.end(), other.end()), 'two readers disagree at the end')
        expect(same(one.facts(), other.facts()), 'two readers disagree on the facts')
      },
    },
    {
      name: 'returns everything once: after the end nothing is left',
      run: () => {
        const reader = format.reader()
        for (const record of records) reader.push(record)
        reader.end()
        expect(reader.end().length === 0, 'a second end returns drafts again')
      },
    },
    {
      name: 'leaves the records unchanged',
      run: () => void draftsOf(format, structuredClone(records).map(frozen)),
    },
    {
      name: 'ignores records of unknown kinds',
      run: () => {
        const mixed = records.flatMap((record) => [{ type: 'x-unheard-of', x: 1 }, record])
        expect(same(draftsOf(format, mixed), draftsOf(format, records)), 'they change the drafts')
      },
    },
    {
      name: 'returns drafts that are plain JSON, each with its time',
      run: () => {
        for (const draft of draftsOf(format, records)) {
          expect(same(JSON.parse(JSON.stringify(draft)), draft), `not JSON: ${show(draft)}`)
          expect(Number.isFinite(draft.at), `no time: ${show(draft)}`)
        }
      },
    },
    {
      name: 'names in its drafts only what it returned before',
      run: () => {
        const log = logOf(draftsOf(format, records))
        for (const entry of log)
          for (const problem of namedWrongly(log, entry)) expect(false, problem)
      },
    },
    {
      name: 'returns a context in which every result follows its call',
      run: () => {
        for (const problem of pairProblems(logOf(draftsOf(format, records)))) expect(false, problem)
      },
    },
    {
      name: 'never throws, whatever a record contains',
      run: () => {
        const reader = format.reader()
        for (const value of junk) reader.push(value)
        for (const record of records) for (const broken of damaged(record)) reader.push(broken)
        reader.end()
        reader.facts()
      },
    },
  ]
}

/**
 * What the tests of a format still lack, in words that say what to do; empty if they lack nothing.
 * A sample without a request, a call or a result shows nothing of how they are read.
 * @example
 * test('codex lacks nothing', () => expect(lackOf(codex, samples)).toEqual([]))
 */
export function lackOf(format: Format, samples: readonly FormatSample[]): string[] {
  const { name } = format
  const own = samples.filter((sample) => sample.format.name === name)
  if (own.length === 0) return [`${name} has no sample: add a session of it to the samples.`]
  const log = own.flatMap(({ records }) => draftsOf(format, records))
  const spoken = log.flatMap((draft) => (draft.kind === 'message' ? [draft] : []))
  const parts = new Set(spoken.flatMap(({ message }) => partsOf(message).map(({ type }) => type)))
  const wanted: [what: string, isThere: boolean][] = [
    ['a request of the human', spoken.some(({ origin }) => origin === 'human')],
    ['a reply of the model', spoken.some(({ origin }) => origin === 'model')],
    ['a call of a tool', parts.has('tool-call')],
    ['a result of a call', parts.has('tool-result')],
  ]
  return wanted.flatMap(([what, isThere]) =>
    isThere ? [] : [`The sample of ${name} holds no ${what.slice(2)}: add ${what} to it.`],
  )
}

/** The text of a file of a format that holds these records. */
export function fileOf({ syntax }: Format, records: readonly unknown[]): string {
  const asText = (record: unknown): string | undefined =>
    syntax === 'text' && typeof record === 'string' ? record : JSON.stringify(record)
  return records.map(asText).join('\n')
}

/** The drafts that a new reader makes of these records. */
export function draftsOf(format: Format, records: readonly unknown[]): EntryDraft[] {
  const reader = format.reader()
  const drafts = records.flatMap((record) => reader.push(record))
  return [...drafts, ...reader.end()]
}

/** Drafts numbered as a store would number them. */
export function logOf(drafts: readonly EntryDraft[]): Chronological {
  return chronological(drafts.map((draft, index) => ({ ...draft, seq: index + 1 })))
}

/**
 * Where a context breaks its pairs: results that are apart from their step, duplicated, or too
 * late.
 */
export function pairProblems(log: Chronological): string[] {
  const problems: string[] = []
  let open = new Set<string>()
  for (const item of contextOf(log).items) {
    if (item.type === 'late') problems.push(`entry ${item.seq} answers no open call`)
    if (item.type !== 'message') continue
    const { message } = item
    if (message.role !== 'tool') open = new Set()
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') {
        if (open.has(part.toolCallId)) problems.push(`entry ${item.seq} calls twice`)
        open.add(part.toolCallId)
      } else if (part.type === 'tool-result' && !open.delete(part.toolCallId)) {
        problems.push(`entry ${item.seq} has a result that follows no call of its step`)
      }
    }
  }
  return problems
}

function namedWrongly(log: Chronological, entry: EntryDraft & { seq: Seq }): string[] {
  const before = (seq: Seq): boolean => seq >= 0 && seq < entry.seq
  switch (entry.kind) {
    case 'rewind':
      return before(entry.to) ? [] : [`rewind ${entry.seq} goes to ${entry.to}`]
    case 'prune': {
      const wrong = entry.replacements.filter(({ ref }) => !isResult(log, ref))
      return wrong.map(({ ref }) => `prune ${entry.seq} names ${ref}, which is not a result`)
    }
    case 'checkpoint': {
      const wrong = entry.tail.filter(
        (item) => item.type === 'entry' && !(before(item.seq) && isMessage(log, item.seq)),
      )
      const base = before(entry.base) ? [] : [`checkpoint ${entry.seq} has the base ${entry.base}`]
      return [...base, ...wrong.map((item) => `checkpoint ${entry.seq} keeps ${show(item)}`)]
    }
    default:
      return []
  }
}

function isMessage(log: Chronological, seq: Seq): boolean {
  return entryAt(log, seq)?.kind === 'message'
}

function isResult(log: Chronological, ref: string): boolean {
  const part = readRef(log, ref)
  return 'type' in part && part.type === 'tool-result'
}

const strangers: readonly (readonly unknown[])[] = [
  [],
  [{}],
  [null, 1, 'text', [], true],
  [{ type: 'message' }, { id: 1 }],
  [{ info: {}, messages: [] }],
]

const junk: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  Number.NaN,
  '',
  'text',
  [],
  {},
  [[]],
  { type: null },
  { type: '__proto__', message: { toString: 1 } },
  { type: 'constructor', payload: { type: 'toString' } },
]

/** The record with each of its fields, at any depth, replaced by each kind of junk. */
function* damaged(record: unknown): Generator<unknown> {
  if (typeof record !== 'object' || record === null) return
  for (const key of Object.keys(record)) {
    const value = (record as Record<string, unknown>)[key]
    for (const other of [...junk, ...damaged(value)]) {
      yield Array.isArray(record) ? record.with(Number(key), other) : { ...record, [key]: other }
    }
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}

/** Equal as data; a field set to `undefined` differs from a missing one. */
function same(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return Object.is(left, right)
  }
  const keys = Object.keys(left)
  return (
    Array.isArray(left) === Array.isArray(right) &&
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        same((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
    )
  )
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 200)
}

function expect(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

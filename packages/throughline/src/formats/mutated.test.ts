import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexOf } from '../compaction/summary/index/build.ts'
import { contextOf } from '../log/context.ts'
import { runs } from '../testing/generate/runs.ts'
import { draftsOf, logOf } from '../testing/format-conformance.ts'
import { formats } from './detect.ts'
import { samples } from './testing/samples.ts'
import type { EntryDraft } from '../log/entry.ts'

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    undefined,
    Number.NaN,
    -1,
    1e308,
    '__proto__',
    '\ud800',
    '<function=x>',
    [[]],
    { toString: 1, length: -1 },
    { type: 'text', text: {} },
  ),
)

/** What happens to a record: something in it becomes junk, is lost, or is another part of it. */
interface Mutation {
  how: 'junk' | 'lost' | 'copied'
  /** Which of its fields at each depth, as parts of a whole. */
  path: number[]
  from: number[]
  value: unknown
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom('junk', 'lost', 'copied'),
  path: fc.array(share, { minLength: 1, maxLength: 6 }),
  from: fc.array(share, { maxLength: 6 }),
  value: junk,
})

function keyAt(value: unknown, place: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  return keys[Math.floor(place * keys.length)]
}

function valueAt(value: unknown, path: readonly number[]): unknown {
  const [place, ...rest] = path
  const key = place === undefined ? undefined : keyAt(value, place)
  return key === undefined ? value : valueAt((value as Record<string, unknown>)[key], rest)
}

function mutated(value: unknown, { how, path, from, value: other }: Mutation): unknown {
  const given = how === 'copied' ? valueAt(value, from) : other
  const change = (inner: unknown, places: readonly number[]): unknown => {
    const [place, ...rest] = places
    const key = place === undefined ? undefined : keyAt(inner, place)
    if (key === undefined) return given
    if (Array.isArray(inner)) {
      const changed = change(inner[Number(key)], rest)
      return how === 'lost' ? inner.toSpliced(Number(key), 1) : inner.with(Number(key), changed)
    }
    const { [key]: old, ...others } = inner as Record<string, unknown>
    return how === 'lost' && rest.length === 0 ? others : { ...others, [key]: change(old, rest) }
  }
  return change(value, path)
}

const mutatedSession = fc
  .record({
    sample: fc.constantFrom(...samples),
    mutations: fc.array(fc.tuple(share, mutation), { minLength: 1, maxLength: 6 }),
    moves: fc.array(fc.tuple(share, share), { maxLength: 4 }),
  })
  .map(({ sample, mutations, moves }) => {
    const records = [...sample.records]
    const at = (place: number): number => Math.floor(place * records.length)
    for (const [place, change] of mutations) {
      records[at(place)] = mutated(records[at(place)], change)
    }
    for (const [from, to] of moves) records.splice(at(to), 0, records[at(from)])
    return records
  })

function checkNames(draft: EntryDraft, seq: number): void {
  if (draft.kind === 'rewind') expect(draft.to).toBeLessThan(seq)
  if (draft.kind === 'checkpoint' || draft.kind === 'prune') expect(draft.base).toBeLessThan(seq)
  if (draft.kind !== 'checkpoint') return
  for (const kept of draft.tail) if (kept.type === 'entry') expect(kept.seq).toBeLessThan(seq)
}

describe('sessions with damage of every kind', () => {
  test('make no format throw, and no view of what was read', () => {
    fc.assert(
      fc.property(mutatedSession, (records) => {
        for (const format of formats) {
          format.recognises(records)
          const drafts = draftsOf(format, records)
          for (const [index, draft] of drafts.entries()) checkNames(draft, index + 1)
          const log = logOf(drafts)
          contextOf(log)
          indexOf(log)
        }
      }),
      runs(100),
    )
  })

  test('become no more than a few times as long', () => {
    fc.assert(
      fc.property(mutatedSession, (records) => {
        const length = JSON.stringify(records).length
        for (const format of formats) {
          const written = JSON.stringify(draftsOf(format, records)).length
          expect(written).toBeLessThan(6 * length + 2000)
        }
      }),
      runs(100),
    )
  })

  test('have facts that are what they are declared to be', () => {
    fc.assert(
      fc.property(mutatedSession, (records) => {
        for (const format of formats) {
          const reader = format.reader()
          for (const record of records) reader.push(record)
          reader.end()
          const { id, model, window, directory, system, omitted } = reader.facts()
          for (const text of [id, model, directory, system]) {
            expect(['string', 'undefined']).toContain(typeof text)
          }
          expect(['number', 'undefined']).toContain(typeof window)
          for (const count of Object.values(omitted ?? {})) expect(count).toBeGreaterThan(0)
        }
      }),
      runs(50),
    )
  })
})

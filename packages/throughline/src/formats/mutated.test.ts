import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factsOf } from '../facts/facts-of.ts'
import { contextOf } from '../log/context/context.ts'
import { runs } from '../testing/generate/runs.ts'
import { draftsOf, logOf } from '../testing/conformance/format-conformance.ts'
import { formats } from './formats.ts'
import { mutated } from './testing/mutations.ts'
import { samples } from './testing/samples.ts'
import type { EntryDraft } from '../log/entry.ts'

const mutatedSession = fc.constantFrom(...samples).chain(({ records }) => mutated(records))

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
          factsOf(log)
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

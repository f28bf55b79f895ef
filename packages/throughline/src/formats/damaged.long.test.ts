import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contextOf } from '../log/context/context.ts'
import { ThroughlineError } from '../log/throughline-error.ts'
import { draftsOf, fileOf, logOf } from '../testing/conformance/format-conformance.ts'
import { runs } from '../testing/generate/runs.ts'
import { readSession } from './reading/read-session.ts'
import { mutated } from './testing/mutations.ts'
import { samples } from './testing/samples.ts'

let deep: unknown = 'x'
for (let level = 0; level < 100_000; level++) deep = [deep]

/** The value with something nested without end beside all that it holds. */
function buried(value: unknown): unknown {
  if (typeof value === 'string') return [value, deep]
  if (Array.isArray(value)) return [...value.map(buried), deep]
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const kept = typeof inner === 'string' && tellsApart.test(key)
    return [key, kept ? inner : buried(inner)]
  })
  return Object.fromEntries([...fields, ['deep', deep]])
}

/** What tells records apart stays as it is, so that all else is read. */
const tellsApart = /type|role|id$|status|name|tool|mime|function|action|observation|source/i

describe.each(samples)('$name', ({ format, records }) => {
  test('a session of which anything was changed is read to its end, and has a view', () => {
    fc.assert(
      fc.property(mutated(records), (changed) => {
        const drafts = draftsOf(format, changed)
        for (const draft of drafts) {
          expect(JSON.parse(JSON.stringify(draft))).toMatchObject({ kind: draft.kind })
          expect(Number.isFinite(draft.at)).toBe(true)
        }
        contextOf(logOf(drafts))
      }),
      runs(100),
    )
  })

  test('so is its file, be it a document or lines, wherever it is cut off', async () => {
    const formats = [{ ...format, recognises: () => true }]
    await fc.assert(
      fc.asyncProperty(mutated(records), fc.nat(), fc.boolean(), async (changed, cut, document) => {
        const whole = changed.length === 1 ? changed[0] : changed
        const lines = fileOf(format, changed)
        const text = document ? JSON.stringify(whole, null, 1) : lines
        const half = Math.floor(text.length / 2)
        const read = readSession(text.slice(0, half + (cut % (half + 1))), { formats })
        await read.catch((error: unknown) => expect(ThroughlineError.isInstance(error)).toBe(true))
      }),
      runs(40),
    )
  })

  test('values nested without end do no harm, here or further on', () => {
    for (const draft of draftsOf(format, records.map(buried))) JSON.stringify(draft)
  })
})

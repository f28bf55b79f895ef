import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contextOf } from '../log/context/context.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { changed, changesFor } from './testing/mutations.ts'
import { formats } from './formats.ts'
import { full } from '../testing/generate/runs.ts'
import { fileOf } from '../testing/conformance/format-conformance.ts'
import { illegalities } from '../testing/legal.ts'
import { readSession, streamSession } from './reading/read-session.ts'
import { recordFigure } from '../testing/record-figure.ts'
import { recordPool } from './testing/record-pool.ts'
import { retainedBytes } from '../testing/retained-bytes.ts'
import { samples } from './testing/samples.ts'
import { throughline } from './throughline/format.ts'
import type { Format } from './format.ts'
import type { Mutation } from './testing/mutations.ts'

const perFile = 50
// 10,000 changed records of each format in a full run.
const files = full ? 200 : 4

/** Where a line is torn off, if it is. */
const tears = fc.array(fc.option(fc.nat(), { freq: 1, nil: undefined }), {
  minLength: perFile,
  maxLength: perFile,
})

/**
 * A file of a format whose records were changed, and some of whose lines were torn; and how many
 * records these are, in lines of their own or in a document.
 */
function changedFile(
  format: Format,
  records: readonly unknown[],
  { start, changes, cuts }: { start: number; changes: Mutation[][]; cuts: (number | undefined)[] },
): { lines: string[]; count: number } {
  const all = changes.flatMap((change, index) =>
    changed(records[(start + index) % records.length], change),
  )
  const recordOf = samples.find((sample) => sample.format === format)?.recordOf
  if (recordOf) return { lines: [fileOf(format, [recordOf(all)])], count: all.length }
  const lines = all.map((record, index) => {
    const line = fileOf(format, [record])
    const cut = cuts[index]
    return cut === undefined ? line : line.slice(0, cut % (line.length + 1))
  })
  // The first line is as it was.
  return { lines: [fileOf(format, records.slice(0, 1)), ...lines], count: lines.length }
}

/** The numbers of the lines that are not one object, or hold messages that are none. */
function damagedLines({ syntax }: Format, lines: readonly string[]): number[] {
  if (syntax === 'text') return []
  return lines.flatMap((line, index) => (line === '' || isWhole(line) ? [] : [index + 1]))
}

function isWhole(line: string): boolean {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    return false
  }
  if (!isObject(record)) return false
  return ['messages', 'history', 'input'].every((name) => {
    const list = record[name]
    return !Array.isArray(list) || !list.some(isObject) || list.every(isObject)
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe.each(formats)('$name', (format) => {
  const known = [{ ...format, recognises: () => true }]

  test(`${files * perFile} changed records are read to their end, and what is skipped is named`, async () => {
    const records = await recordPool(format)
    let read = 0
    const file = fc
      .record({ start: fc.nat(), changes: changesFor(perFile), cuts: tears })
      .map((change) => changedFile(format, records, change))
    await fc.assert(
      fc.asyncProperty(file, async ({ lines, count }) => {
        const text = lines.join('\n')
        read += count
        const { log, skipped } = await readSession(text, { formats: known })
        const torn = skipped.filter(({ reason }) => !reason.endsWith('is not understood'))
        expect(torn.map(({ line }) => line)).toEqual(damagedLines(format, lines))
        // An exported log is given as it is, whatever stands in it.
        if (format !== throughline) {
          const { messages } = renderContext(contextOf(log).items, summaryAsUser)
          expect(illegalities(messages)).toEqual([])
        }
        expect(JSON.stringify(log).length).toBeLessThan(6 * text.length + 500 * lines.length)
      }),
      { numRuns: files },
    )
    // Changes leave records out, and repeat others.
    expect(read).toBeGreaterThan((files * perFile) / 2)
    recordFigure({ what: 'fuzzed', format: format.name, count: read })
  }, 3_600_000)

  test('a session that goes on and on is read in little memory', async () => {
    const records = await recordPool(format)
    const [changes] = fc.sample(changesFor(perFile), { numRuns: 1, seed: 1 })
    let written = 0
    function* endless(): Generator<string> {
      for (let start = 0; start < files * perFile; start += perFile) {
        const change = { start, changes: changes ?? [], cuts: [] }
        const text = `${changedFile(format, records, change).lines.join('\n')}\n`
        written += text.length
        yield text
      }
    }
    const before = retainedBytes()
    const session = await streamSession(endless(), { formats: known })
    for await (const draft of session.drafts) expect(draft.kind).toBeTypeOf('string')
    const after = retainedBytes()
    expect(session.facts()).toBeDefined()
    expect(after - before).toBeLessThan(written / 2 + 16e6)
  }, 3_600_000)
})

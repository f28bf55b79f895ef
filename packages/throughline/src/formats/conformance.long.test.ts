import { describe, expect, test } from 'vitest'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileOf, formatConformance, lackOf } from '../testing/conformance/format-conformance.ts'
import { formats } from './formats.ts'
import { readSession } from './reading/read-session.ts'
import { recordPool } from './testing/record-pool.ts'
import { samples } from './testing/samples.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Format } from './format.ts'

describe.each(samples)('$name', (sample) => {
  test.each(formatConformance(sample))('$name', ({ run }) => run())

  test('is recognised by its own format alone', () => {
    const found = formats.filter(({ recognises }) => recognises(sample.records))
    expect(found.map(({ name }) => name)).toEqual([sample.format.name])
  })

  test('is told from all others by its file', async () => {
    const { format } = await readSession(fileOf(sample.format, sample.records))
    expect(format).toBe(sample.format.name)
  })
})

describe.each(formats)('$name', (format) => {
  test('has all that its tests need', () => {
    expect(lackOf(format, samples)).toEqual([])
  })

  test('has records to be fuzzed with', async () => {
    expect((await recordPool(format)).length).toBeGreaterThan(0)
  })

  test('stands in docs/formats.md', () => {
    const page = readFileSync(new URL('../../../../docs/formats.md', import.meta.url), 'utf8')
    const update = 'UPDATE_DOCS=1 npx vitest run formats-page'
    const row = page.includes(`| ${format.name} `) ? [] : [`no row of ${format.name}: ${update}`]
    expect(row).toEqual([])
  })
})

test('every format that has a folder is in the list of formats.ts', () => {
  const folders = readdirSync(import.meta.dirname)
  const written = folders.filter((name) => existsSync(`${import.meta.dirname}/${name}/format.ts`))
  const listed = new Set(formats.map(({ name }) => name))
  expect(written.filter((name) => !listed.has(name))).toEqual([])
})

test('what a format lacks is named', () => {
  const said: EntryDraft = {
    kind: 'message',
    at: 0,
    origin: 'human',
    message: { role: 'user', content: 'Hello' },
  }
  const format: Format = {
    name: 'x',
    place: 'x.txt',
    syntax: 'text',
    recognises: ([first]) => first === 'x',
    reader: () => ({ push: () => [said], end: () => [], facts: () => ({}) }),
  }
  expect(lackOf(format, samples)).toEqual(['x has no sample: add a session of it to the samples.'])
  expect(lackOf(format, [{ format, records: ['x'] }])).toEqual([
    'The sample of x holds no reply of the model: add a reply of the model to it.',
    'The sample of x holds no call of a tool: add a call of a tool to it.',
    'The sample of x holds no result of a call: add a result of a call to it.',
  ])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiWriters, harnesses } from '../formats/harnesses.ts'
import { samples } from '../formats/testing/samples.ts'
import { holdsWords } from '../json/fields.ts'
import { outputText, partsOf, type Part } from '../log/message.ts'
import { readRef, ref } from '../log/ref.ts'
import { readSession, type SessionRead } from '../formats/reading/read-session.ts'
import { fileOf as fileIn } from '../testing/conformance/format-conformance.ts'
import { testIdentity } from '../testing/conformance/writer-conformance.ts'
import { runs } from '../testing/generate/runs.ts'
import { ThroughlineError } from '../log/throughline-error.ts'
import type { Format } from '../formats/format.ts'

const turns = 5
const sentences = Array.from({ length: turns }, (_, at) => `Never ship word${at}q on a Friday.`)

/** The session's file as this writer makes it: what the human said, and a reply to each. */
function fileOf(writer: (typeof apiWriters)[number]): string {
  const messages = sentences.flatMap((content, at) => [
    { message: { role: 'user' as const, content }, origin: 'human' as const, at },
    {
      message: { role: 'assistant' as const, content: `Part ${at} is done.` },
      origin: 'model' as const,
      at,
    },
  ])
  const { text } = writer.write({ messages, facts: {} }, testIdentity())
  return text.replaceAll('"throughline"', '"other"')
}

const PARENT = /"(parentUuid|parentId|parent_id|parent)":(?:"[\w-]*"|null)/g

const cutAt = (text: string, at: number): number => at % (text.length + 1)

/** What happens to one line of a file, or to one place in it. */
const damages: Record<string, (text: string, at: number, to: number) => string> = {
  'truncated in the middle of a record': (text, at) => text.slice(0, cutAt(text, at)),
  'without a piece, so that two lines are one': (text, at, to) =>
    text.slice(0, cutAt(text, at)) + text.slice(cutAt(text, at) + (to % 300)),
  'with NULs in it': (text, at, to) =>
    text.slice(0, cutAt(text, at)) + '\0'.repeat(to % 5000) + text.slice(cutAt(text, at)),
  'with swapped lines': (text, at, to) => {
    const lines = text.split('\n')
    const [one, other] = [at % lines.length, to % lines.length]
    return lines
      .map((line, index) => lines[index === one ? other : index === other ? one : index] ?? line)
      .join('\n')
  },
  'with a line twice': (text, at, to) => {
    const lines = text.split('\n')
    lines.splice(to % lines.length, 0, lines[at % lines.length] ?? '')
    return lines.join('\n')
  },
  'without a line': (text, at) =>
    text
      .split('\n')
      .filter((_, index, { length }) => index !== at % length)
      .join('\n'),
  'with a record of an unknown kind': (text, at) => {
    const lines = text.split('\n')
    lines.splice(at % (lines.length + 1), 0, '{"type":"x-unheard-of","x":1}')
    return lines.join('\n')
  },
  'with two roots': (text, at) => {
    let seen = 0
    return text.replaceAll(PARENT, (field, key) =>
      seen++ === at % turns ? `"${String(key)}":null` : field,
    )
  },
  'with a parent that is missing': (text, at) => {
    let seen = 0
    return text.replaceAll(PARENT, (field, key) =>
      seen++ === at % turns ? `"${String(key)}":"missing"` : field,
    )
  },
  'with CRLF': (text) => text.replaceAll('\n', '\r\n'),
  'with a byte order mark': (text) => `\ufeff${text}`,
}

/**
 * The records of a file that can still be read, without the names of their parents, and whether
 * anything else is in it.
 */
function recordsIn(text: string): { records: Set<string>; torn: boolean } {
  const plain = text.replaceAll(PARENT, '"$1":0').replace(/^\ufeff/, '')
  const document = parsed(plain)
  const list = Array.isArray(document)
    ? document
    : Object.values((document ?? {}) as object).find(Array.isArray)
  if (Array.isArray(list))
    return { records: new Set(list.map((item) => JSON.stringify(item))), torn: false }
  const lines = plain.split(/\r?\n/).filter((line) => line.trim() !== '')
  const values = lines.map(parsed)
  return {
    records: new Set(values.map((value) => JSON.stringify(value))),
    torn: values.includes(undefined),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A file as it is read: nothing where it is refused with an error of ours. */
async function readDamaged(
  bytes: Uint8Array,
  formats?: readonly Format[],
): Promise<SessionRead | undefined> {
  return readSession([bytes], { ...(formats && { formats }) }).catch((error: unknown) => {
    if (ThroughlineError.isInstance(error)) return undefined
    throw error
  })
}

/** Every text of a session, each found by its ref. */
function foundIn({ log, facts }: SessionRead): string {
  const texts = log.flatMap((entry) =>
    entry.kind === 'message'
      ? partsOf(entry.message).map((_, part) => saidIn(readRef(log, ref(entry.seq, part)) as Part))
      : [JSON.stringify(entry)],
  )
  return [...texts, facts.system ?? ''].join('\n')
}

function saidIn(part: Part): string {
  return part.type === 'text' ? part.text : JSON.stringify(part)
}

/** What happens to one field, so that the file is still JSON and nothing that was said is gone. */
const changes: Record<string, (parent: Record<string, unknown>, key: string) => void> = {
  'under another name'(parent, key) {
    if (Array.isArray(parent)) return
    parent[`${key}_`] = parent[key]
    delete parent[key]
  },
  'in a list': (parent, key) => void (parent[key] = [parent[key]]),
  'in an object': (parent, key) => void (parent[key] = { value: parent[key] }),
  'that is null': (parent, key) => void (saysNothing(parent[key]) && (parent[key] = null)),
  'that is a number': (parent, key) => void (saysNothing(parent[key]) && (parent[key] = 7)),
  'that is missing': (parent, key) => void (saysNothing(parent[key]) && delete parent[key]),
}

/** A word alone, as types and names are. */
function saysNothing(value: unknown): boolean {
  return typeof value !== 'object' && !/\s|\.$/.test(String(value))
}

interface Slot {
  parent: Record<string, unknown>
  key: string
}

function slotsIn(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...slotsIn(parent[key])])
}

/** A file of JSON, a document or lines, with one of its fields changed. */
function changed(text: string, change: string, at: number): string {
  const document = parsed(text)
  const values =
    document === undefined
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parsed)
      : [document]
  const slots = values.flatMap(slotsIn)
  const slot = slots[at % slots.length]
  if (slot) changes[change]?.(slot.parent, slot.key)
  return values.map((value) => JSON.stringify(value)).join('\n')
}

/** What was said, is in the file as before, and is neither found nor reported. */
function silent(text: string, said: readonly string[], read: SessionRead | undefined): string[] {
  if (!read || read.skippedCount > 0) return []
  const found = foundIn(read)
  return said.filter(
    (words) => text.includes(JSON.stringify(words).slice(1, -1)) && !found.includes(words),
  )
}

async function expectNothingSilent(
  text: string,
  said: readonly string[],
  change: string,
  formats?: readonly Format[],
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (at) => {
      const damaged = changed(text, change, at)
      const read = await readDamaged(Buffer.from(damaged), formats)
      expect(silent(damaged, said, read), damaged).toEqual([])
    }),
    runs(60),
  )
}

/** Every text of messages and summaries; of the human's alone if asked. */
function wordsOf({ log }: SessionRead, human: boolean): string[] {
  return log.flatMap((entry) => {
    if (entry.kind === 'checkpoint') return human ? [] : [entry.summary]
    if (entry.kind !== 'message' || (human && entry.origin !== 'human')) return []
    return partsOf(entry.message).flatMap((part) => {
      if (part.type === 'text') return [part.text]
      return part.type === 'tool-result' ? [outputText(part.output)] : []
    })
  })
}

const allWriters = [...harnesses.map(({ writer }) => writer), ...apiWriters]

describe.each(allWriters)('G1: what a human said in a file of $name', (writer) => {
  it.each(Object.keys(damages))(
    'is found in one %s, and torn records are reported',
    async (name) => {
      const whole = fileOf(writer)
      const before = [...recordsIn(whole).records]
      const place = fc.nat({ max: 1_000_000 })
      await fc.assert(
        fc.asyncProperty(place, place, fc.boolean(), async (at, to, wide) => {
          const text = damages[name]?.(whole, at, to) ?? ''
          const bytes = wide ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
          const read = await readDamaged(bytes)
          const { records, torn } = recordsIn(text)
          // Only a file that lost a record may be refused, with an error that says so.
          if (!read) {
            expect(torn || before.some((record) => !records.has(record))).toBe(true)
            return
          }
          if (torn) expect(read.skippedCount).toBeGreaterThan(0)
          const found = foundIn(read)
          const lost = sentences.filter((said) => {
            const saying = before.filter((record) => record.includes(said))
            return saying.every((record) => records.has(record)) && !found.includes(said)
          })
          expect(lost).toEqual([])
        }),
        runs(40),
      )
    },
  )

  it.each(Object.keys(changes))('is found or reported in one with a field %s', (change) =>
    expectNothingSilent(fileOf(writer), sentences, change),
  )
})

const inJson = samples.filter(({ format }) => format.syntax !== 'text')

// What an API's message may be is fixed; a client adds kinds with each version.
const ofClients = inJson.filter(
  ({ name, records }) =>
    harnesses.some(({ format }) => name.startsWith(format.name)) &&
    records.some((record) => Object.hasOwn(Object(record), 'type')),
)

describe.each(ofClients)('a session of $name', ({ format, records }) => {
  it('is not damaged by a kind of record that its client has added', async () => {
    const added = { type: 'x-added', id: 'x', uuid: 'x', content: 'It says some words.' }
    const formats = [{ ...format, recognises: () => true }]
    const read = await readDamaged(Buffer.from(fileIn(format, [...records, added])), formats)
    expect(read?.skipped).toEqual([])
  })
})

type Typed = Record<string, unknown>

/** All that carries a type: records, messages, parts. */
const typedIn = (records: readonly unknown[]): Typed[] =>
  slotsIn(records).flatMap(({ parent, key }) => (key === 'type' ? [parent] : []))

/** The records of a file, or the messages of its one document, as far as they carry a type. */
const typedRecords = (records: readonly unknown[]): Typed[] =>
  records
    .flatMap((record) => (Object(record) as { messages?: Typed[] }).messages ?? [record as Typed])
    .filter((record) => Object.hasOwn(record, 'type'))

describe.each(inJson)('G1: a session of $name, a type in it another word', (sample) => {
  const { format, records } = sample
  const formats = [{ ...format, recognises: () => true }]

  it.each([
    ['what a human said', typedIn, true],
    ['what a record says', typedRecords, false],
  ] as const)('%s is found or reported', async (_, typed, human) => {
    const whole = await readDamaged(Buffer.from(fileIn(format, records)), formats)
    const said = whole ? wordsOf(whole, human).filter((text) => holdsWords(text)) : []
    for (const at of typed(records).keys()) {
      const changed = structuredClone([...records])
      Object.assign(typed(changed)[at] ?? {}, { type: 'x-other' })
      const text = fileIn(format, changed)
      expect(silent(text, said, await readDamaged(Buffer.from(text), formats)), text).toEqual([])
    }
  })
})

describe.each(inJson)('G1: what a human said in a session of $name', ({ format, records }) => {
  it.each(Object.keys(changes))('is found or reported in one with a field %s', async (change) => {
    const text = fileIn(format, records)
    const formats = [{ ...format, recognises: () => true }]
    const whole = await readDamaged(Buffer.from(text), formats)
    const said = (whole?.log ?? []).flatMap((entry) =>
      entry.kind === 'message' && entry.origin === 'human'
        ? partsOf(entry.message).flatMap((part) => (part.type === 'text' ? [part.text] : []))
        : [],
    )
    expect(said.length).toBeGreaterThan(0)
    await expectNothingSilent(text, said, change, formats)
  })
})

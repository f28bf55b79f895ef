import { fieldsOf, listOf, nameOf, textOf, timeOf, type Fields } from '../../json/fields.ts'
import { fingerprintOf, type Ledger } from '../../ledger/ledger.ts'
import { fromHarnessElement } from '../../facts/human/client-forms.ts'
import { ownOrigin } from '../../ledger/own-words.ts'
import { readSummaryBlock } from '../../compaction/render/summary-block.ts'

/**
 * A compaction whose messages a hooks module of ours has given: Claude Code writes the summary as a
 * plain message, and behind it what was kept as new messages, within a few milliseconds. (Messages
 * that were given back as its own, as older versions of the module did, have the time of their
 * original.)
 */
export interface Replaced {
  /** The boundary, and when what stands behind it was written. */
  boundary: Fields
  at: number
  /** The record that holds the summary. */
  summary: Fields
  text: string
  /** The copies, and the record that each was made from, where the ledger says so. */
  copies: { record: Fields; of: string | undefined }[]
  /** The records of which copies were noted and not met yet, by the print of their text. */
  noted: Map<string, (string | undefined)[]>
}

/** The records so far of which there may be copies. */
export interface Originals {
  /** The newest one with a call, a result or a time, by {@link keysOf}. */
  byKey: Map<string, string>
  /** Those with a text, by its author and print, oldest first. */
  byText: Map<string, { uuid: string; place: number }[]>
  count: number
}

export function noteOriginal(originals: Originals, record: Fields): void {
  const uuid = nameOf(record['uuid'])
  if (uuid === undefined || !copied.has(record['type'])) return
  for (const key of keysOf(record)) originals.byKey.set(key, uuid)
  const text = textKeyOf(record)
  if (text !== undefined) addTo(originals.byText, text, { uuid, place: originals.count++ })
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** The types of records that a compaction copies. */
const copied: ReadonlySet<unknown> = new Set(['user', 'assistant', 'attachment'])

/** The same for a record and its copy: each call or result in it, or its time. */
function keysOf(record: Fields): string[] {
  const { type, timestamp } = record
  const blocks = listOf(fieldsOf(record['message'])?.['content']).map(fieldsOf)
  const ids = blocks.flatMap(
    (block) => nameOf(block?.['id']) ?? nameOf(block?.['tool_use_id']) ?? [],
  )
  if (ids.length > 0) return ids.map((id) => `${String(type)},${id}`)
  return typeof timestamp === 'string' ? [`${String(type)}@${timestamp}`] : []
}

function textKeyOf(record: Fields): string | undefined {
  const text = textIn(record)
  return text === undefined ? undefined : `${String(record['type'])} ${fingerprintOf(text)}`
}

/** The words of a record that holds nothing else. */
function textIn(record: Fields): string | undefined {
  const content = fieldsOf(record['message'])?.['content']
  const whole = textOf(content)
  if (whole !== undefined) return whole
  const blocks = listOf(content).map(fieldsOf)
  if (blocks.length === 0) return undefined
  const texts = blocks.flatMap((block) => textOf(block?.['text']) ?? [])
  return texts.length === blocks.length ? texts.join('\n\n') : undefined
}

/** The compaction that a record begins behind a boundary; `undefined` if it is not one of ours. */
export function replacedBy(
  record: Fields,
  text: string,
  { boundary, ledger }: { boundary: Fields; ledger: Ledger | undefined },
): Replaced | undefined {
  const summary = readSummaryBlock(text)
  if (record['type'] !== 'user' || summary === undefined) return undefined
  const noted: Replaced['noted'] = new Map()
  for (const { print, record: of } of ledger?.find(summary)?.messages ?? []) addTo(noted, print, of)
  const at = timeOf(record['timestamp']) ?? 0
  return { boundary, at, summary: record, text, copies: [], noted }
}

// What a module gives is written in one go; no human answers as fast.
const moment = 2_000

/** Takes a record that is a copy, or words that we put between copies; says whether it is one. */
export function takeCopy(replaced: Replaced, record: Fields, originals: Originals): boolean {
  if (!copied.has(record['type'])) return false
  const text = textIn(record)
  const noted = text === undefined ? [] : (replaced.noted.get(fingerprintOf(text)) ?? [])
  if (noted.length === 0 && !isAlike(replaced, record, originals)) return false
  replaced.copies.push({ record, of: noted.shift() })
  return true
}

function isAlike({ at }: Replaced, record: Fields, { byKey, byText }: Originals): boolean {
  if (keysOf(record).some((key) => byKey.has(key))) return true
  const text = textIn(record)
  const written = timeOf(record['timestamp']) ?? Infinity
  if (text === undefined || Math.abs(written - at) > moment) return false
  const isOurs = ownOrigin(text) !== undefined || fromHarnessElement(text) !== undefined
  return isOurs || written === at || byText.has(textKeyOf(record) ?? '')
}

/** The boundary with the originals of the copies as what it kept. */
export function boundaryOf(replaced: Replaced, originals: Originals): Fields {
  const { boundary } = replaced
  const allUuids = originalsOf(replaced, originals)
  const metadata = fieldsOf(boundary['compactMetadata'])
  return {
    ...boundary,
    compactMetadata: { ...metadata, preservedSegment: undefined, preservedMessages: { allUuids } },
  }
}

/** What the ledger says each copy was made from; else the newest record that says the same. */
function originalsOf({ copies }: Replaced, { byKey, byText }: Originals): string[] {
  const found: string[] = []
  let before = Infinity
  for (const { record, of } of copies.toReversed()) {
    const known = of === undefined ? keysOf(record).flatMap((key) => byKey.get(key) ?? []) : [of]
    if (known.length > 0) {
      found.push(...known.toReversed())
      continue
    }
    const same = byText.get(textKeyOf(record) ?? '')?.findLast(({ place }) => place < before)
    if (same === undefined) continue
    before = same.place
    found.push(same.uuid)
  }
  return found.toReversed()
}

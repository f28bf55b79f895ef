import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { fingerprintOf } from '../../ledger/ledger.ts'

/** The records so far of which there may be copies. */
export interface Originals {
  /** The newest one with a call, a result or a time, by {@link keysOf}. */
  byKey: Map<string, string>
  /** Those with a text, by its author and print, oldest first. */
  byText: Map<string, { uuid: string; place: number }[]>
  count: number
}

export function noOriginals(): Originals {
  return { byKey: new Map(), byText: new Map(), count: 0 }
}

export function noteOriginal(originals: Originals, record: Fields): void {
  const uuid = nameOf(record['uuid'])
  if (uuid === undefined || !copied.has(record['type'])) return
  for (const key of keysOf(record)) originals.byKey.set(key, uuid)
  const text = textKeyOf(record)
  if (text === undefined) return
  const place = originals.count++
  const same = originals.byText.get(text)
  if (same) same.push({ uuid, place })
  else originals.byText.set(text, [{ uuid, place }])
}

/** The types of records that a compaction copies. */
export const copied: ReadonlySet<unknown> = new Set(['user', 'assistant', 'attachment'])

/** The same for a record and its copy: each call or result in it, or its time. */
export function keysOf(record: Fields): string[] {
  const { type, timestamp } = record
  const blocks = listOf(fieldsOf(record['message'])?.['content'])
  const ids = blocks.flatMap((block) => idOf(fieldsOf(block)) ?? [])
  if (ids.length > 0) return ids.map((id) => `${String(type)},${id}`)
  return typeof timestamp === 'string' ? [`${String(type)}@${timestamp}`] : []
}

function idOf(block: Fields | undefined): string | undefined {
  return nameOf(block?.['id']) ?? nameOf(block?.['tool_use_id'])
}

export function textKeyOf(record: Fields): string | undefined {
  const text = textIn(record)
  return text === undefined ? undefined : `${String(record['type'])} ${fingerprintOf(text)}`
}

/** The words of a record that holds nothing else. */
export function textIn(record: Fields): string | undefined {
  const content = fieldsOf(record['message'])?.['content']
  const whole = textOf(content)
  if (whole !== undefined) return whole
  const blocks = listOf(content).map(fieldsOf)
  if (blocks.length === 0) return undefined
  const texts = blocks.flatMap((block) => textOf(block?.['text']) ?? [])
  return texts.length === blocks.length ? texts.join('\n\n') : undefined
}

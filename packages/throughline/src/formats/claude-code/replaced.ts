import { fieldsOf, listOf, nameOf, textOf, timeOf, type Fields } from '../../json/fields.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { ownOrigin } from '../../session/once/log-of-messages.ts'
import { enterUnseen, type Chain } from './state.ts'

/**
 * A compaction whose messages a hooks module of ours has given: Claude Code writes the summary as a
 * plain message, and behind it copies of what was kept, each with the time of its original.
 */
export interface Replaced {
  /** The boundary, and when what stands behind it was written. */
  boundary: Fields
  at: number
  /** The record that holds the summary. */
  summary: Fields
  text: string
  copies: Fields[]
}

/** The compaction that a record begins behind a boundary; `undefined` if it is not one of ours. */
export function replacedBy(record: Fields, boundary: Fields, text: string): Replaced | undefined {
  if (record['type'] !== 'user' || !isSummaryBlock(text)) return undefined
  return { boundary, at: timeOf(record['timestamp']) ?? 0, summary: record, text, copies: [] }
}

// What we put between the copies was made in the same moment.
const moment = 2_000

/** Whether a record is a copy, or words that we put between copies. */
export function isCopy(
  { at }: Replaced,
  record: Fields,
  originals: ReadonlyMap<string, string>,
): boolean {
  const key = keyOf(record)
  if (key !== undefined && originals.has(key)) return true
  const text = textOf(fieldsOf(record['message'])?.['content'])
  const said = timeOf(record['timestamp']) ?? Infinity
  return text !== undefined && ownOrigin(text) !== undefined && Math.abs(said - at) < moment
}

/** The boundary with the originals of the copies as what it kept. */
export function boundaryOf(
  { boundary, copies }: Replaced,
  originals: ReadonlyMap<string, string>,
): Fields {
  const allUuids = copies.flatMap((copy) => originals.get(keyOf(copy) ?? '') ?? [])
  const metadata = fieldsOf(boundary['compactMetadata'])
  return {
    ...boundary,
    compactMetadata: { ...metadata, preservedSegment: undefined, preservedMessages: { allUuids } },
  }
}

/** What comes later names a copy as its parent. */
export function enterCopies(chain: Chain, { copies }: Replaced): void {
  for (const copy of copies) enterUnseen(chain, copy)
}

const copied: ReadonlySet<unknown> = new Set(['user', 'assistant', 'attachment'])

/** The same for a record and its copy: the calls in it, or its time. */
export function keyOf(record: Fields): string | undefined {
  const { type, timestamp } = record
  if (!copied.has(type) || typeof timestamp !== 'string') return undefined
  const blocks = listOf(fieldsOf(record['message'])?.['content'])
  const ids = blocks.flatMap((block) => idOf(fieldsOf(block)) ?? [])
  return [type, ...(ids.length > 0 ? ids : [timestamp])].join()
}

function idOf(block: Fields | undefined): string | undefined {
  return nameOf(block?.['id']) ?? nameOf(block?.['tool_use_id'])
}

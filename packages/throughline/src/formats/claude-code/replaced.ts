import type { Replaced } from './state.ts'
import { fieldsOf, timeOf, type Fields } from '../../json/fields.ts'
import { readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { fingerprintOf, type Ledger } from '../../ledger/ledger.ts'
import { ownOrigin } from '../../ledger/own-words.ts'
import { copied, keysOf, textIn, textKeyOf, type Originals } from './originals.ts'
import { enterUnseen, type Chain } from './state.ts'

/** The compaction that a record begins behind a boundary; `undefined` if it is not one of ours. */
export function replacedBy(
  record: Fields,
  text: string,
  { boundary, ledger }: { boundary: Fields; ledger: Ledger | undefined },
): Replaced | undefined {
  const summary = readSummaryBlock(text)
  if (record['type'] !== 'user' || summary === undefined) return undefined
  const at = timeOf(record['timestamp']) ?? 0
  return { boundary, at, summary: record, text, copies: [], written: ledger?.find(summary) }
}

// What older versions of the module put between copies was made in the same moment.
const moment = 2_000

/** Whether a record is a copy, or words that we put between copies. */
export function isCopy({ at }: Replaced, record: Fields, originals: Originals): boolean {
  if (!copied.has(record['type'])) return false
  const written = timeOf(record['timestamp'])
  if (written === at && record['type'] !== 'attachment') return true
  if (keysOf(record).some((key) => originals.byKey.has(key))) return true
  const text = textIn(record)
  const isNear = written !== undefined && Math.abs(written - at) < moment
  return isNear && text !== undefined && ownOrigin(text) !== undefined
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
function originalsOf({ copies, written }: Replaced, { byKey, byText }: Originals): string[] {
  const noted = new Map<string, string[]>()
  for (const { print, record } of written?.messages ?? []) {
    if (record === undefined) continue
    const same = noted.get(print)
    if (same) same.push(record)
    else noted.set(print, [record])
  }
  const found: string[] = []
  let before = Infinity
  for (const copy of copies.toReversed()) {
    const known = keysOf(copy).flatMap((key) => byKey.get(key) ?? [])
    const text = textIn(copy)
    const own = text === undefined ? undefined : noted.get(fingerprintOf(text))?.pop()
    if (known.length > 0 || own !== undefined) {
      found.push(...known, ...(own === undefined ? [] : [own]))
      continue
    }
    const same = byText.get(textKeyOf(copy) ?? '')?.findLast(({ place }) => place < before)
    if (same === undefined) continue
    before = same.place
    found.push(same.uuid)
  }
  return found.toReversed()
}

/** What comes later names a copy as its parent. */
export function enterCopies(chain: Chain, { copies }: Replaced): void {
  for (const copy of copies) enterUnseen(chain, copy)
}

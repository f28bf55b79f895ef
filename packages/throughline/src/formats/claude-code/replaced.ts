import type { Replaced } from './state.ts'
import { fieldsOf, timeOf, type Fields } from '../../json/fields.ts'
import { readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { fingerprintOf, type Ledger } from '../../ledger/ledger.ts'
import { fromHarnessElement } from '../../facts/human/client-forms.ts'
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
  const noted: Replaced['noted'] = new Map()
  for (const { print, record: of } of ledger?.find(summary)?.messages ?? []) {
    const same = noted.get(print)
    if (same) same.push(of)
    else noted.set(print, [of])
  }
  return { boundary, at, summary: record, text, copies: [], noted }
}

// What a module gives is written in one go; no human answers as fast.
const moment = 2_000

/** Takes a record that is a copy, or words that we put between copies; says whether it is one. */
export function takeCopy(replaced: Replaced, record: Fields, originals: Originals): boolean {
  if (!copied.has(record['type'])) return false
  const text = textIn(record)
  const noted = text === undefined ? undefined : replaced.noted.get(fingerprintOf(text))
  if (noted && noted.length > 0) {
    replaced.copies.push({ record, of: noted.shift() })
    return true
  }
  if (!isAlike(replaced, record, originals)) return false
  replaced.copies.push({ record, of: undefined })
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

/** What comes later names a copy as its parent. */
export function enterCopies(chain: Chain, { copies }: Replaced): void {
  for (const { record } of copies) enterUnseen(chain, record)
}

import { nameOf, type Fields } from '../../json/fields.ts'
import type { Seq } from '../../log/entry.ts'

/**
 * What the model saw is the chain of parents from the newest record back. The chain
 * is followed in units: a reply with its results, a user's message, a compaction.
 * Parallel calls and their results branch inside one unit, so only a record whose
 * parent lies in an older unit says that the human went back.
 */
export interface Chain {
  /** The unit that stood last when a record of this uuid was read. */
  unitOf: Map<string, number>
  /** By unit: its first and its last entry, and the unit before it. */
  first: Seq[]
  last: Seq[]
  before: number[]
  newest: number
  /** The newest compaction: nothing goes back across it. */
  floor: number
  /** Whether records name parents at all. */
  linked: boolean
}

/** A chain whose unit 0 is the empty beginning. */
export function newChain(): Chain {
  return {
    unitOf: new Map(),
    first: [1],
    last: [0],
    before: [0],
    newest: 0,
    floor: 0,
    linked: false,
  }
}

export function isKnown(chain: Chain, record: Fields): boolean {
  const uuid = nameOf(record['uuid'])
  return uuid !== undefined && chain.unitOf.has(uuid)
}

/** Starts a unit; its span is set when its entries are given. */
export function startUnit(chain: Chain): number {
  const unit = chain.last.length
  chain.first.push(0)
  chain.last.push(0)
  chain.before.push(chain.newest)
  chain.newest = unit
  return unit
}

export function spanUnit(chain: Chain, unit: number, first: Seq, last: Seq): void {
  chain.first[unit] = first
  chain.last[unit] = last
}

/** Files a record under the newest unit. */
export function enter(chain: Chain, record: Fields): void {
  const uuid = nameOf(record['uuid'])
  if (uuid !== undefined) chain.unitOf.set(uuid, chain.newest)
  if (typeof record['parentUuid'] === 'string') chain.linked = true
}

/** Files a record that the model does not see under the unit of its parent. */
export function enterUnseen(chain: Chain, record: Fields): void {
  const uuid = nameOf(record['uuid'])
  const parent = nameOf(record['parentUuid'])
  const unit = parent === undefined ? undefined : chain.unitOf.get(parent)
  if (uuid !== undefined) chain.unitOf.set(uuid, unit ?? chain.newest)
}

/** The unit that a record goes back to, or `undefined` if it follows the newest one. */
export function branchPoint(chain: Chain, record: Fields): number | undefined {
  const parent = record['parentUuid']
  const root = parent === null && chain.linked
  const unit = root ? 0 : typeof parent === 'string' ? chain.unitOf.get(parent) : undefined
  return unit !== undefined && unit < chain.newest && unit >= chain.floor ? unit : undefined
}

const longestSegment = 500

/** The chain's units from the one of `head` to the one of `tail`, oldest first. */
export function unitsBetween(chain: Chain, head: string, tail: string): number[] {
  const start = chain.unitOf.get(head)
  let unit = chain.unitOf.get(tail)
  if (start === undefined || unit === undefined) return []
  const units: number[] = []
  while (unit > start && units.length < longestSegment) {
    units.push(unit)
    unit = chain.before[unit] ?? 0
  }
  return unit === start ? [...units, start].toReversed() : []
}

import { omit } from '../omitted.ts'
import { draftQueue, type DraftQueue, give } from '../reading/grown-log.ts'
import { newQueued, type Queued } from './user-parts.ts'
import { type Fields, nameOf } from '../../json/fields.ts'
import type { SessionFacts } from '../format.ts'
import { noOriginals, type Originals } from './originals.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type Reply, replyDraft } from './reply.ts'
import { outputText } from '../../log/message.ts'
import { utf8Bytes } from '../../compaction/prune/placeholder.ts'
import type { MessageDraft, Seq } from '../../log/entry.ts'
import type { ToolResultPart } from '../../log/message.ts'

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
  copies: Copy[]
  /** The records of which copies were noted and not met yet, by the print of their text. */
  noted: Map<string, (string | undefined)[]>
}

interface Copy {
  record: Fields
  /** Which record it was made from, where the ledger says so. */
  of: string | undefined
}

/** A result that was added, as a later micro-compaction needs it. */
export interface GivenResult {
  tool: string
  seq: Seq
  part: number
  bytes: number
}

/** What is known while a transcript is being read. */
export interface State {
  /** What Throughline wrote into transcripts. */
  ledger: Ledger | undefined
  drafts: DraftQueue
  facts: SessionFacts
  omitted: Record<string, number>
  /** The time of the newest record that had one. */
  at: number
  chain: Chain
  queued: Queued
  /** The reply that may still get blocks or results. */
  reply: Reply | undefined
  /** Names of the tools that were called, by call. */
  tools: Map<string, string>
  results: Map<string, GivenResult>
  /** A compaction whose summary hasn't come yet, and what came since. */
  boundary: { record: Fields; held: Fields[] } | undefined
  /** A compaction of ours whose kept messages are still coming. */
  replaced: Replaced | undefined
  /** Records by what their copies share with them. */
  originals: Originals
  /** The newest record says that what follows was said to Claude Code itself. */
  caveat: boolean
}

export function newState(ledger?: Ledger): State {
  return {
    ledger,
    drafts: draftQueue(),
    facts: {},
    omitted: {},
    at: 0,
    chain: newChain(),
    queued: newQueued(),
    reply: undefined,
    tools: new Map(),
    results: new Map(),
    boundary: undefined,
    replaced: undefined,
    originals: noOriginals(),
    caveat: false,
  }
}

/** Adds the open reply, its results and what followed them: it gets nothing more. */
export function closeReply(state: State): void {
  const { reply } = state
  if (!reply) return
  state.reply = undefined
  const first = state.drafts.given + 1
  const draft = replyDraft(reply)
  if (draft) give(state.drafts, draft)
  else omit(state, 'unfinished')
  if (reply.results.length > 0) {
    giveResults(state, reply.results, reply.resultsAt, reply.resultRecords)
  }
  spanUnit(state.chain, reply.unit, first, state.drafts.given)
  for (const { unit, drafts } of reply.after) giveMessages(state, unit, drafts)
}

/** Adds results as one message, and records the position of each. */
export function giveResults(
  state: State,
  results: ToolResultPart[],
  at: number,
  records: string[],
): void {
  const seq = give(state.drafts, {
    kind: 'message',
    at,
    message: { role: 'tool', content: results },
    origin: 'tool',
    metadata: { source: { records } },
  })
  results.forEach(({ toolCallId, toolName, output }, part) => {
    const bytes = utf8Bytes(outputText(output))
    state.results.set(toolCallId, { tool: toolName, seq, part, bytes })
  })
}

export function giveMessages(state: State, unit: number, drafts: readonly MessageDraft[]): void {
  const first = state.drafts.given + 1
  for (const draft of drafts) give(state.drafts, draft)
  spanUnit(state.chain, unit, first, state.drafts.given)
}

/** If this record follows an older one than the newest, the view goes back to that one first. */
export function goBack(state: State, record: Fields): void {
  const unit = branchPoint(state.chain, record)
  if (unit === undefined) return
  const to = state.chain.last[unit] ?? 0
  // The model saw nothing in between, so there is nothing to go back over.
  if (to < state.drafts.given) give(state.drafts, { kind: 'rewind', at: state.at, to })
  state.chain.newest = unit
}

/**
 * What the model saw is the chain of parents from the newest record back. The chain is followed in
 * units: a reply with its results, a user's message, a compaction. Parallel calls and their results
 * branch inside one unit, so only a record whose parent is in an older unit shows that the human
 * went back.
 */
export interface Chain {
  /** The last unit when a record with this uuid was read. */
  unitOf: Map<string, number>
  /** By unit: its first and its last entry, and the unit before it. */
  first: Seq[]
  last: Seq[]
  before: number[]
  newest: number
  /** The newest compaction: the view never goes back before it. */
  floor: number
  /** Whether records name parents at all. */
  linked: boolean
}

/** A chain whose unit 0 is the empty beginning. */
function newChain(): Chain {
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

/** Starts a unit; its span is set when its entries are added. */
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

/** Adds a record to the newest unit. */
export function enter(chain: Chain, record: Fields): void {
  const uuid = nameOf(record['uuid'])
  if (uuid !== undefined) chain.unitOf.set(uuid, chain.newest)
  if (typeof record['parentUuid'] === 'string') chain.linked = true
}

/** Adds a record that the model doesn't see to its parent's unit. */
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

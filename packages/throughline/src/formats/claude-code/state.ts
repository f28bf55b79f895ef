import { draftQueue, type DraftQueue } from '../reading/draft-queue.ts'
import { newChain, type Chain } from './chain.ts'
import { newQueued, type Queued } from './queued.ts'
import type { Fields } from '../../json/fields.ts'
import type { SessionFacts } from '../format.ts'
import type { GivenResult } from './compaction.ts'
import type { Reply } from './reply.ts'

/** What is known while a transcript is read. */
export interface State {
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
  /** A compaction whose summary has not come yet, and what came meanwhile. */
  boundary: { record: Fields; held: Fields[] } | undefined
}

export function newState(): State {
  return {
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
  }
}

export function omit(state: State, reason: string): void {
  state.omitted[reason] = (state.omitted[reason] ?? 0) + 1
}

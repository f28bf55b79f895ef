import { defaultPolicy, presets, type Policy } from 'throughline'
import {
  everything,
  halfList,
  lastTokens,
  throughline,
  throughlineCompactor,
  type Compactor,
} from 'throughline/evaluation'
import { summarizerOf } from '../peers/adapters/throughline.ts'
import { standIn, type Asked } from '../peers/stand-in.ts'
import { compactorLives, throughlineLives } from './live-policies.ts'
import { openPeer, type Peer } from './peer.ts'
import { peerCompactor } from './peer-compactor.ts'
import type { LivePolicy } from './life.ts'

/** A contestant: Throughline, a baseline or a peer. */
export interface Contestant {
  id: string
  /** @throws Error that says why it can't be measured here. */
  open: (answers: string | undefined) => Promise<Opened>
}

export interface Opened {
  name: string
  /** Whether it is measured at cuts: not if only its life differs from another's. */
  compactor?: Compactor
  /** How it keeps a live session within its window, if it can. */
  lives?: LivePolicy
  /** Its process, if it has a separate one. */
  peer?: Peer
  /** What it asked its model, so far. */
  asked: readonly Asked[]
}

const peerIds = [
  'langchain-summarization',
  'langchain-summarization-of-all',
  'deepagents',
  'pi',
  'openclaw',
  'gemini-cli',
  'cline',
  'langchain-trim-messages',
  'mastra-token-limiter',
  'langchain-context-editing',
  'ai-sdk-prune-messages',
]

/** For users who only care about cost: less is carried along, and a full window is never read. */
const early: Policy = {
  ...defaultPolicy,
  threshold: (usable) => Math.floor(usable / 2),
  lowWater: (usable) => Math.floor(usable / 4),
  keep: () => 8_000,
}

/** All contestants, in the order of the report. */
export const contestants: readonly Contestant[] = [
  own('throughline', () => ({
    name: throughline.name,
    compactor: throughline,
    lives: throughlineLives(throughline.name),
  })),
  own('throughline-early', () => {
    const name = 'throughline, from half full, 8k kept'
    return { name, lives: throughlineLives(name, { policy: early }) }
  }),
  own('throughline-economic', () => {
    const name = 'throughline, economic'
    return { name, lives: throughlineLives(name, { policy: presets.economic }) }
  }),
  own('throughline-model', (answers, asked) => {
    const name = 'throughline, stand-in model'
    const summarizer = summarizerOf(standIn(answers, (one) => asked.push(one)))
    return {
      name,
      compactor: throughlineCompactor({ name, summarizer }),
      lives: throughlineLives(name, { summarizer, asked }),
    }
  }),
  own('seeds', (answers, asked) => {
    const name = "the seeds' policy"
    const policy = presets.seed
    const summarizer = summarizerOf(standIn(answers, (one) => asked.push(one)))
    return {
      name,
      compactor: throughlineCompactor({ name, policy, summarizer }),
      lives: throughlineLives(name, { policy, summarizer, asked }),
    }
  }),
  own('last-tokens', () => ({
    name: lastTokens.name,
    compactor: lastTokens,
    lives: compactorLives(lastTokens, []),
  })),
  own('half-list', () => ({ name: halfList.name, compactor: halfList })),
  own('everything', () => ({ name: everything.name, compactor: everything })),
  ...peerIds.map(peerContestant),
]

/** Whether any of these needs the peers' package; without names, all are meant. */
export function asksPeers(only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((id) => peerIds.includes(id))
}

function own(
  id: string,
  make: (
    answers: string | undefined,
    asked: Asked[],
  ) => Pick<Opened, 'name' | 'compactor' | 'lives'>,
): Contestant {
  return {
    id,
    open: async (answers) => {
      const asked: Asked[] = []
      return { ...make(answers, asked), asked }
    },
  }
}

function peerContestant(id: string): Contestant {
  return {
    id,
    open: async (answers) => {
      const peer = await openPeer(id, answers)
      const asked: Asked[] = []
      const compactor = peerCompactor(peer, (one) => asked.push(one))
      const { name } = compactor
      return { name, compactor, lives: compactorLives(compactor, asked), peer, asked }
    },
  }
}

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

/** Whoever is measured: Throughline, a baseline or a peer. */
export interface Contestant {
  id: string
  /** @throws Error if it cannot be asked here, saying why. */
  open: (answers: string | undefined) => Promise<Opened>
}

export interface Opened {
  name: string
  /** Where it is measured at cuts: not where only its life differs from another's. */
  compactor?: Compactor
  /** How it keeps a living session in its window, where it can. */
  lives?: LivePolicy
  /** Its process, where it has one of its own. */
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

/** For whom money is all: less is carried along, and the last reads of a full window never happen. */
const early: Policy = {
  ...defaultPolicy,
  threshold: (usable) => Math.floor(usable / 2),
  lowWater: (usable) => Math.floor(usable / 4),
  keep: () => 8_000,
}

/** Everyone who is measured, in the order of the report. */
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

/** Whether any of these needs what only the peers' package has; all are meant where none is named. */
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

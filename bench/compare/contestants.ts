import { presets } from 'throughline'
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
  compactor: Compactor
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

/** Throughline on the peers' interface, in a process like theirs: only its speed is measured so. */
export const ourPeerIds = ['throughline-local', 'throughline-model', 'throughline-prune']

/** Everyone who is measured, in the order of the report. */
export const contestants: readonly Contestant[] = [
  own('throughline', () => ({
    compactor: throughline,
    lives: throughlineLives(throughline.name),
  })),
  own('throughline-model', (answers, asked) => {
    const name = 'throughline, stand-in model'
    const summarizer = summarizerOf(standIn(answers, (one) => asked.push(one)))
    return {
      compactor: throughlineCompactor({ name, summarizer }),
      lives: throughlineLives(name, { summarizer, asked }),
    }
  }),
  own('seeds', (answers, asked) => {
    const name = "the seeds' policy"
    const policy = presets.seed
    const summarizer = summarizerOf(standIn(answers, (one) => asked.push(one)))
    return {
      compactor: throughlineCompactor({ name, policy, summarizer }),
      lives: throughlineLives(name, { policy, summarizer, asked }),
    }
  }),
  own('last-tokens', () => ({ compactor: lastTokens, lives: compactorLives(lastTokens, []) })),
  own('half-list', () => ({ compactor: halfList })),
  own('everything', () => ({ compactor: everything })),
  ...peerIds.map(peerContestant),
]

function own(
  id: string,
  make: (answers: string | undefined, asked: Asked[]) => Pick<Opened, 'compactor' | 'lives'>,
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
      return { compactor, lives: compactorLives(compactor, asked), peer, asked }
    },
  }
}

import type { HostAnswer } from '../peers/protocol.ts'
import type { Message } from 'throughline'
import type { Peer } from './peer.ts'

/** A peer's time and memory compared with Throughline's, in alternating runs. */
export interface Speed {
  peer: string
  work: 'trims' | 'summarizes'
  /** What it is compared with: Throughline doing the same kind of work. */
  beside: string
  /**
   * The peer's time divided by Throughline's: above 1, the peer takes longer. Excludes the model's
   * time.
   */
  time: Spread
  /** The same for the additional heap that a compaction takes. */
  memory: Spread
}

export interface Spread {
  least: number
  median: number
  most: number
}

/** Counted rounds, after one that isn't counted. */
const rounds = 7

/** Compares a peer with Throughline on the same messages, alternating in each round. */
export async function compareSpeed(
  peer: Peer,
  ours: Peer,
  contexts: readonly (readonly Message[])[],
  keep: number,
): Promise<Speed> {
  const times: number[] = []
  const memories: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const messages = contexts[round % contexts.length] ?? []
    const theirs = timingOf(await peer.ask(timed(messages, keep)))
    const own = timingOf(await ours.ask(timed(messages, keep)))
    if (round === 0) continue
    times.push(theirs.own / own.own)
    memories.push(theirs.heap / Math.max(own.heap, 1))
  }
  return {
    peer: peer.about.name,
    work: peer.about.work,
    beside: ours.about.name,
    time: spreadOf(times),
    memory: spreadOf(memories),
  }
}

function timed(messages: readonly Message[], keep: number) {
  return { type: 'time' as const, request: { messages, keep }, copies: 1 }
}

export function timingOf(answer: HostAnswer): { own: number; heap: number } {
  if (answer.type === 'timed') return answer.timing
  throw new Error(answer.type === 'failed' ? answer.problem : `It answered ${answer.type}.`)
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return { least: at(0), median: at(1 / 2), most: at(1) }
}

import { timingOf } from './speed.ts'
import type { Message } from 'throughline'
import type { Peer } from './peer.ts'

/** What a compaction takes as its session gets longer. */
export interface Growth {
  peer: string
  work: 'trims' | 'summarizes'
  sizes: GrowthAt[]
}

interface GrowthAt {
  /** How many times the largest real session. */
  copies: number
  /** Its own time over that for one copy; a time that grows with the session has `copies` here. */
  time?: number
  problem?: string
}

/** Milliseconds after which a size is given up. */
const limit = 60_000

/** Times a peer on the largest real session and on generated ones that are many times as long. */
export async function measureGrowth(
  peer: Peer,
  messages: readonly Message[],
  { keep, copies }: { keep: number; copies: readonly number[] },
): Promise<Growth> {
  const { name, work } = peer.about
  const time = async (copies: number): Promise<number> =>
    timingOf(await peer.ask({ type: 'time', request: { messages, keep }, copies }, limit)).own
  const sizes: GrowthAt[] = []
  let one: number | undefined
  for (const size of copies) {
    try {
      // The first call of a process also pays for what is loaded and compiled then.
      if (one === undefined) await time(1)
      one ??= Math.max(await time(1), 1)
      sizes.push({ copies: size, time: (await time(size)) / one })
    } catch (error) {
      sizes.push({ copies: size, problem: error instanceof Error ? error.message : String(error) })
      break
    }
  }
  return { peer: name, work, sizes }
}

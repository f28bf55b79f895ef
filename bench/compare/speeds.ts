import { type Message } from 'throughline'
import { chronological } from 'throughline/engine'
import { compareSpeed, type Speed } from './speed.ts'
import { measureGrowth, type Growth } from './growth.ts'
import { messagesOf } from './peer-compactor.ts'
import { openPeer, type Peer } from './peer.ts'
import type { MeasuredSession, Question } from 'throughline/evaluation'

/**
 * Figures that differ between runs, measured on the messages before the cuts and on the longest
 * session.
 */
export interface SpeedWork {
  contexts: readonly (readonly Message[])[]
  longest: readonly Message[]
  keep: number
}

/** Throughline behind the peers' interface, in processes like theirs. */
export interface Ours {
  summarizes: Peer
  trims: Peer
  withModel: Peer
}

/** A session is extended to this many copies of the longest one. */
const copies = [10, 100]

export function speedWork(
  sessions: readonly MeasuredSession[],
  questions: readonly Question[],
  keep: number,
): SpeedWork {
  const byLength = sessions.toSorted((a, b) => b.log.length - a.log.length)
  return {
    contexts: questions.map(({ session, cut }) =>
      messagesOf(chronological(session.log.slice(0, cut.length))),
    ),
    longest: messagesOf(byLength[0]?.log ?? chronological([])),
    keep,
  }
}

export async function openOurs(answers: string | undefined): Promise<Ours> {
  return {
    summarizes: await openPeer('throughline-local', answers),
    trims: await openPeer('throughline-prune', answers),
    withModel: await openPeer('throughline-model', answers),
  }
}

/** How our own time grows. */
export async function measureOurs(ours: Ours, { longest, keep }: SpeedWork): Promise<Growth[]> {
  const all: Growth[] = []
  for (const peer of [ours.summarizes, ours.withModel, ours.trims]) {
    all.push(await measureGrowth(peer, longest, { keep, copies }))
  }
  return all
}

/** A peer next to Throughline doing the same kind of work. */
export async function measurePeer(
  peer: Peer,
  ours: Ours,
  { contexts, longest, keep }: SpeedWork,
): Promise<{ speed: Speed; growth: Growth }> {
  return {
    speed: await compareSpeed(peer, ours[peer.about.work], contexts, keep),
    growth: await measureGrowth(peer, longest, { keep, copies }),
  }
}

export function closeOurs(ours: Ours): void {
  for (const peer of [ours.summarizes, ours.withModel, ours.trims]) peer.close()
}

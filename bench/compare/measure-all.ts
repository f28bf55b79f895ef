import {
  byHarness,
  genericIdentifiers,
  measureAtCuts,
  measureRecorded,
  measureSeries,
  questionsOf,
  sizesWithin,
  throughline,
  type MeasuredSession,
  type Question,
} from 'throughline/evaluation'
import { chronological, type Message } from 'throughline'
import { contestants, ourPeerIds, type Opened } from './contestants.ts'
import { measureGrowth } from './growth.ts'
import { live } from './life.ts'
import { openPeer, type Peer } from './peer.ts'
import { messagesOf } from './peer-compactor.ts'
import { compareSpeed } from './speed.ts'
import type { ChosenSessions } from './choose-sessions.ts'
import type { Contested, Figures } from './figures.ts'

export interface MeasureOptions {
  keeps: readonly number[]
  /** Only these contestants, where some are named. */
  only: readonly string[] | undefined
  /** A folder of recorded answers. */
  answers: string | undefined
  /** The window in which sessions are lived through, in tokens. */
  window: number
  speed: boolean
  onProgress: (doing: string) => void
}

/** What is asked of everyone, made once. */
interface Work extends MeasureOptions {
  sessions: readonly MeasuredSession[]
  questions: readonly Question[]
  generic: ReadonlySet<string>
}

/** What a series is measured at, and what speed is: the middle one of the usual sizes. */
const usualKeep = 8_000

/** A session is grown to so many copies of the largest one. */
const copies = [10, 100]

/** Runs every measure with everyone who can be asked here. */
export async function measureAll(
  { source, sessions }: ChosenSessions,
  options: MeasureOptions,
): Promise<Figures> {
  const generic = genericIdentifiers(sessions)
  // The corpus is cut where the reference cuts it; other sessions may be shorter.
  const questions = sessions.flatMap((session) =>
    questionsOf([session], generic, source === 'corpus' ? undefined : sizesWithin(session)),
  )
  const work: Work = { ...options, sessions, generic, questions }
  const recorded = await measureRecorded(throughline, sessions, generic)
  const contested: Contested[] = []
  const ours = await openOurs(options)
  for (const { id, open } of contestants) {
    if (options.only && !options.only.includes(id)) continue
    options.onProgress(id)
    let opened: Opened | undefined
    try {
      opened = await open(options.answers)
      contested.push(await measureOne(id, opened, work, ours))
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      options.onProgress(`${id}: ${problem}`)
      contested.push({ id, problem })
    } finally {
      opened?.peer?.close()
    }
  }
  const growth = await measureOurGrowth(ours, work)
  for (const peer of ours.values()) peer.close()
  return {
    sessions: { source, count: sessions.length },
    window: options.window,
    recorded,
    harnesses: byHarness(recorded),
    contested,
    growth,
  }
}

async function measureOne(
  id: string,
  { name, compactor, lives, peer, asked }: Opened,
  work: Work,
  ours: ReadonlyMap<string, Peer>,
): Promise<Contested> {
  const { questions, sessions, generic, window, keeps } = work
  const atCuts = []
  for (const keep of compactor ? keeps : []) {
    if (compactor) atCuts.push(await measureAtCuts(compactor, questions, keep))
  }
  const series = compactor && (await measureSeries(compactor, sessions, usualKeep))
  const living = []
  for (const session of lives ? sessions : []) {
    if (lives) living.push(await live(session, lives, { window, generic }))
  }
  const beside =
    peer && ours.get(peer.about.work === 'trims' ? 'throughline-prune' : 'throughline-local')
  return {
    id,
    name,
    atCuts,
    ...(series && { series }),
    lives: living,
    recordedAnswers: asked.filter(({ recorded }) => recorded).length,
    ...(peer && { about: peer.about }),
    ...(peer &&
      beside && {
        speed: await compareSpeed(peer, beside, contextsOf(questions), usualKeep),
        growth: await measureGrowth(peer, largestOf(sessions), { keep: usualKeep, copies }),
      }),
  }
}

/** Throughline in processes like those of its peers; none where speed is left out. */
async function openOurs({ speed, answers }: MeasureOptions): Promise<Map<string, Peer>> {
  const ours = new Map<string, Peer>()
  for (const id of speed ? ourPeerIds : []) ours.set(id, await openPeer(id, answers))
  return ours
}

async function measureOurGrowth(ours: ReadonlyMap<string, Peer>, work: Work) {
  const all = []
  for (const peer of ours.values()) {
    all.push(await measureGrowth(peer, largestOf(work.sessions), { keep: usualKeep, copies }))
  }
  return all
}

function contextsOf(questions: readonly Question[]): (readonly Message[])[] {
  return questions.map(({ session, cut }) =>
    messagesOf(chronological(session.log.slice(0, cut.length))),
  )
}

function largestOf(sessions: readonly MeasuredSession[]): readonly Message[] {
  const bySize = sessions.toSorted((a, b) => b.log.length - a.log.length)
  return messagesOf(bySize[0]?.log ?? chronological([]))
}

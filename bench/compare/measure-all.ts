import { join } from 'node:path'
import {
  byHarness,
  genericIdentifiers,
  measureAtCuts,
  measureFacts,
  measureRecorded,
  measureSeries,
  questionsOf,
  sizesWithin,
  throughline,
  type Compactor,
  type MeasuredSession,
  type FactsKept,
  type Question,
  type Sitting,
} from 'throughline/evaluation'
import { readSittings, usualExams } from '../facts/exams.ts'
import { readAnswers, withAnswers } from '../facts/recorded-answers.ts'
import { contestants, type Contestant, type Opened } from './contestants.ts'
import { live, type Life, type LivePolicy } from './life.ts'
import { closeOurs, measureOurs, measurePeer, openOurs, speedWork, type Ours } from './speeds.ts'
import { recordedId } from './asked.ts'
import { usual } from './in-short.ts'
import type { ChosenSessions } from './choose-sessions.ts'
import type { Asked, Contested, Figures } from './figures.ts'

export interface MeasureOptions {
  keeps: readonly number[]
  /** Only these contestants, if any are named. */
  only: readonly string[] | undefined
  /** A folder of recorded answers. */
  answers: string | undefined
  /** The window in which sessions are replayed, in tokens. */
  window: number
  speed: boolean
  onProgress: (doing: string) => void
}

/** The questions for everyone, prepared once. */
interface Work extends MeasureOptions {
  sessions: readonly MeasuredSession[]
  questions: readonly Question[]
  generic: ReadonlySet<string>
  /** The exams; none for other sessions than the corpus. */
  sittings: readonly Sitting[]
  /** Present if speed is measured. */
  ours: Ours | undefined
}

/** Runs every measure with everyone who can be measured here. */
export async function measureAll(
  { source, sessions }: ChosenSessions,
  options: MeasureOptions,
): Promise<Figures> {
  const generic = genericIdentifiers(sessions)
  // The corpus is cut where the reference cuts it; other sessions may be shorter.
  const questions = sessions.flatMap((session) =>
    questionsOf([session], generic, source === 'corpus' ? undefined : sizesWithin(session)),
  )
  const ours = options.speed ? await openOurs(options.answers) : undefined
  const sittings =
    source === 'corpus'
      ? await readSittings(
          usualExams,
          process.env['THROUGHLINE_CORPUS'] ?? join(usualExams, '../corpus'),
        )
      : []
  const work: Work = { ...options, sessions, questions, generic, sittings, ours }
  const recorded = await measureRecorded(throughline, sessions, generic)
  const contested: Contested[] = []
  for (const contestant of contestants) {
    if (options.only && !options.only.includes(contestant.id)) continue
    options.onProgress(contestant.id)
    contested.push(await ask(contestant, work))
  }
  contested.push(...(await recordedAnswers(work)))
  const growth = ours && (await measureOurs(ours, speedWork(sessions, questions, usual)))
  if (ours) closeOurs(ours)
  return {
    sessions: { source, count: sessions.length },
    window: options.window,
    recorded,
    harnesses: byHarness(recorded),
    contested,
    growth: growth ?? [],
  }
}

/** A contestant that can't be measured gets a row that says why, and doesn't affect the others. */
async function ask({ id, open }: Contestant, work: Work): Promise<Contested> {
  let opened: Opened | undefined
  try {
    opened = await open(work.answers)
    return await measureOne(id, opened, work)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    work.onProgress(`${id}: ${problem}`)
    return { id, problem }
  } finally {
    opened?.peer?.close()
  }
}

async function measureOne(
  id: string,
  { name, compactor, lives, peer, asked }: Opened,
  work: Work,
): Promise<Asked> {
  const { ours, sessions, questions } = work
  const kept = compactor ? await fidelityOf(compactor, work) : { atCuts: [], facts: [] }
  return {
    id,
    name,
    ...kept,
    ...(peer && { inAsMany: await inAsMany(kept.facts, work) }),
    lives: lives ? await livesOf(lives, work) : [],
    recordedAnswers: asked.filter(({ recorded }) => recorded).length,
    ...(peer && { about: peer.about }),
    ...(peer && ours && (await measurePeer(peer, ours, speedWork(sessions, questions, usual)))),
  }
}

async function fidelityOf(
  compactor: Compactor,
  work: Work,
): Promise<Required<Pick<Asked, 'atCuts' | 'facts' | 'series'>>> {
  const { questions, sessions, keeps } = work
  const atCuts = []
  for (const keep of keeps) atCuts.push(await measureAtCuts(compactor, questions, keep))
  const facts = await factsOf(compactor, work)
  return { atCuts, facts, series: await measureSeries(compactor, sessions, usual) }
}

async function factsOf(compactor: Compactor, { sittings, keeps }: Work): Promise<FactsKept[][]> {
  const facts: FactsKept[][] = []
  if (sittings.length === 0) return facts
  for (const keep of keeps) facts.push(await measureFacts(compactor, sittings, keep))
  return facts
}

/** Throughline's facts, given in each session as many tokens as another kept there. */
async function inAsMany(theirs: readonly FactsKept[][], work: Work): Promise<FactsKept[]> {
  const rows = theirs.find(([first]) => first?.keep === usual) ?? []
  const same: FactsKept[] = []
  for (const [at, { tokens }] of rows.entries()) {
    same.push(...(await measureFacts(throughline, work.sittings.slice(at, at + 1), tokens)))
  }
  return same
}

/** Throughline with what a real model answered for the exams' sessions, where that is recorded. */
async function recordedAnswers(work: Work): Promise<Asked[]> {
  const answers = await readAnswers(work.answers ?? join(usualExams, 'answers'))
  if (work.sittings.length === 0 || answers.length === 0) return []
  const compactor = withAnswers(work.sittings, answers)
  const facts = await factsOf(compactor, work)
  const recordedAnswers = answers.length
  return [{ id: recordedId, name: compactor.name, atCuts: [], facts, lives: [], recordedAnswers }]
}

async function livesOf(policy: LivePolicy, { sessions, generic, window }: Work): Promise<Life[]> {
  const lives: Life[] = []
  for (const session of sessions) lives.push(await live(session, policy, { window, generic }))
  return lives
}

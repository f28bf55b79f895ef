import {
  bareList,
  measureAtCuts,
  questionsOf,
  throughline,
  tokensOf,
  visibleTextOfMessages,
  type Compactor,
  type MeasuredSession,
  type Question,
  type Result,
} from 'throughline/evaluation'
import type { Chronological } from 'throughline/engine'

/** What is kept of one harness's sessions that are long enough to be cut. */
export interface HarnessResult {
  harness: string
  sessions: number
  cuts: Sizes
  /** By what is kept. */
  results: Result[]
  /** The same without counting the human's last words, which stay word for word. */
  besideWords: Result[]
  /** What a bare list of names reaches with the same questions: no summary contains more names. */
  bare: Result[]
}

/**
 * The sizes at which sessions are cut: those of the reference, or smaller ones if they are short.
 */
type Sizes = 'of the reference' | 'small'

// In tokens of 4 bytes.
const smallSizes = [5_000, 10_000, 20_000, 30_000]

const fewestNeeded = 10

/** What Throughline keeps of the sessions of each harness. */
export async function measureElsewhere(
  sessions: readonly MeasuredSession[],
  generic: ReadonlySet<string>,
  keeps: readonly number[],
): Promise<HarnessResult[]> {
  const measured: HarnessResult[] = []
  for (const harness of new Set(sessions.map((session) => session.harness))) {
    const own = sessions.filter((session) => session.harness === harness)
    const { cuts, questions } = questionsAsked(own, generic)
    const at = async (compactor: Compactor): Promise<Result[]> => {
      const results: Result[] = []
      for (const keep of questions.length === 0 ? [] : keeps) {
        results.push(await measureAtCuts(compactor, questions, keep))
      }
      return results
    }
    const results = await at({ ...throughline, name: `throughline, ${harness}, cuts ${cuts}` })
    const [besideWords, bare] = [await at(countedBesideWords), await at(bareList)]
    measured.push({ harness, sessions: own.length, cuts, results, besideWords, bare })
  }
  return measured
}

const countedBesideWords: Compactor = {
  name: 'throughline, beside what the human said last',
  compact: (request) =>
    throughline.compact({ ...request, keep: request.keep + tokensLastSaid(request.log) }),
}

function tokensLastSaid(log: Chronological): number {
  const last = log.findLast((entry) => entry.kind === 'message' && entry.origin === 'human')
  return last?.kind === 'message' ? tokensOf(visibleTextOfMessages([last.message])) : 0
}

function questionsAsked(
  sessions: readonly MeasuredSession[],
  generic: ReadonlySet<string>,
): { cuts: Sizes; questions: Question[] } {
  const questions = questionsOf(sessions, generic)
  if (questions.some(({ needed }) => needed.size >= fewestNeeded)) {
    return { cuts: 'of the reference', questions }
  }
  return { cuts: 'small', questions: questionsOf(sessions, generic, smallSizes) }
}

import type { Report } from '../../compaction/report.ts'
import type { SessionEvent } from '../../session/events.ts'
import type { Trial } from './trial.ts'

/** The first request and the SDK's default retries. */
export const mostRequestsForAnAnswer = 3

/** Four attempts at a summary that no answer comes to, each with its retries. */
export const mostRequestsForASummary = 12

/** The first answer that cannot be used, and another that was told what is wrong with it. */
export const mostAnswersForASummary = 2

/** What a trial did too often: nothing, if it stayed within its bounds. */
export type Bounds = (trial: Trial) => string[]

/** The bounds of a run, whose steps are ours. */
export const runBounds: Bounds = (trial) => {
  const { events, requests, summaries } = trial
  const agents = requests.length - summaries.length
  const asked = countOf(events, 'step-started')
  const lessons = countOf(events, 'reasoning-refused')
  return [
    ...excess('requests of the agent', agents, asked * mostRequestsForAnAnswer),
    ...excess('askings for one step', mostAskings(events), 2 + lessons),
    ...compactionBounds(trial),
  ]
}

/** The bounds of what we do behind any door, also where the steps are an SDK's. */
export const compactionBounds: Bounds = ({ events, summaries }) => {
  const compactions = countOf(events, 'compaction-started') + countOf(events, 'preparation-started')
  return [
    ...excess('lessons on reasoning', countOf(events, 'reasoning-refused'), 2),
    ...events.flatMap((event) =>
      event.type === 'compaction-finished'
        ? excess('answers for a summary', answersIn(event.report), mostAnswersForASummary)
        : [],
    ),
    ...excess('requests for summaries', summaries.length, compactions * mostRequestsForASummary),
  ]
}

function countOf(events: readonly SessionEvent[], type: SessionEvent['type']): number {
  return events.filter((event) => event.type === type).length
}

/** Attempts at a summary to which an answer came. */
function answersIn({ attempts }: Report): number {
  return attempts.filter(({ calls }) => calls.some(({ failed }) => !failed)).length
}

/** How often the model was asked for one step of one run. */
function mostAskings(events: readonly SessionEvent[]): number {
  let most = 0
  let step = 0
  let times = 0
  for (const event of events) {
    if (event.type === 'run-started') step = 0
    if (event.type !== 'step-started') continue
    times = event.step === step ? times + 1 : 1
    step = event.step
    most = Math.max(most, times)
  }
  return most
}

function excess(what: string, actual: number, most: number): string[] {
  return actual > most ? [`${actual} ${what}, but only ${most} are allowed`] : []
}

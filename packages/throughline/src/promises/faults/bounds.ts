import type { Report } from '../../compaction/report.ts'
import type { SessionEvent } from '../../session/events.ts'
import type { Trial } from './trial.ts'

/** The first request and the SDK's default retries. */
export const mostRequestsForAnAnswer = 3

/** Four attempts at a summary that no answer comes to, each with its retries. */
export const mostRequestsForASummary = 12

/** The first answer that cannot be used, and another that was told what is wrong with it. */
export const mostAnswersForASummary = 2

/** Requests that were one too many; empty if all stayed within their bounds. */
export function excesses({ events, requests, summaries }: Trial): string[] {
  const count = (type: string): number => events.filter((event) => event.type === type).length
  const asked = count('step-started')
  const agents = requests.length - summaries.length
  const compactions = count('compaction-started') + count('preparation-started')
  return [
    ...excess('requests of the agent', agents, asked * mostRequestsForAnAnswer),
    ...excess('askings for one step', mostAskings(events), 2 + count('reasoning-refused')),
    ...excess('lessons on reasoning', count('reasoning-refused'), 2),
    ...events.flatMap((event) =>
      event.type === 'compaction-finished'
        ? excess('answers for a summary', answersIn(event.report), mostAnswersForASummary)
        : [],
    ),
    ...excess('requests for summaries', summaries.length, compactions * mostRequestsForASummary),
  ]
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

import type { Answered } from '../server/answer-request.ts'
import type { Report, SessionEvent } from 'throughline'

export interface Compacted {
  before: number
  after: number
  summarizer?: string
  /** Why no model has written the summary, in the words of its provider. */
  failed?: string
}

export function compactedOf({ before, after, summarizer, attempts }: Report): Compacted {
  const failed = summarizer === 'local' ? attempts.at(-1)?.problems.join('; ') : undefined
  return {
    before,
    after,
    ...(summarizer !== undefined && { summarizer }),
    ...(failed !== undefined && { failed }),
  }
}

/** Counts what a gateway does, for the line at the end. */
export interface Tally {
  onEvent: (session: string, event: SessionEvent) => void
  /** The same, where only that is told. */
  onCompacted: (session: string, report: Compacted) => void
  onAnswered: (answered: Answered) => void
  /** Whether no request has come. */
  isUnused: () => boolean
  /** What was done, in one line. */
  text: () => string
}

export function createTally(): Tally {
  let requests = 0
  let recovered = 0
  let forwarded = 0
  let unreached = 0
  const refused: number[] = []
  let compactions = 0
  let saved = 0
  let byModel = 0
  let byCode = 0
  let why: string | undefined
  const sessions = new Set<string>()
  function onCompacted(session: string, { before, after, summarizer, failed }: Compacted): void {
    sessions.add(session)
    compactions += 1
    saved += Math.max(0, before - after)
    if (summarizer !== undefined && summarizer !== 'local') byModel += 1
    if (failed === undefined) return
    byCode += 1
    why = failed
  }
  return {
    onEvent(session, event) {
      if (event.type === 'compaction-finished') onCompacted(session, compactedOf(event.report))
    },
    onCompacted,
    onAnswered({ did, status }) {
      requests += 1
      if (did === 'recovered') recovered += 1
      if (did === 'forwarded') forwarded += 1
      if (did === 'unreached') unreached += 1
      else if (status >= firstError) refused.push(status)
    },
    isUnused: () => requests === 0,
    text() {
      const parts = [
        counted(requests, 'request'),
        compactions === 0
          ? 'no compaction'
          : `${counted(compactions, 'compaction')} in ${counted(sessions.size, 'session')}, ${thousands(saved)} tokens less`,
        ...(byModel > 0 ? [`${counted(byModel, 'summary', 'summaries')} by the model`] : []),
        ...(why === undefined
          ? []
          : [`${counted(byCode, 'summary', 'summaries')} by code, the last since ${why}`]),
        ...(recovered > 0 ? [`${counted(recovered, 'refusal')} that the client never saw`] : []),
        ...(forwarded > 0 ? [`${counted(forwarded, 'request')} forwarded as they came`] : []),
        ...(refused.length > 0
          ? [`${counted(refused.length, 'answer')} with an error (${each(refused)})`]
          : []),
        ...(unreached > 0 ? [`${counted(unreached, 'request')} did not reach the provider`] : []),
      ]
      return `${parts.join('; ').replace(/\.+$/, '')}.`
    },
  }
}

const firstError = 400

function each(statuses: readonly number[]): string {
  return [...new Set(statuses)].sort((a, b) => a - b).join(', ')
}

function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`
}

function thousands(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`
}

import type {
  Summarizer,
  SummaryAnswer,
  SummaryRequest,
} from '../../compaction/summary/with-model/summarizer.ts'

/** The ways in which summarizers succeed and fail. */
export type ScriptedSummary =
  /** Made from the request: its sections and the facts of its index, within its budget. */
  | 'good'
  | 'empty'
  /** Good as far as it goes, but cut off at the output limit. */
  | 'truncated'
  | 'tool-call'
  | 'refusal'
  | 'too-large'
  | 'missing-sections'
  /** Good, but names files and functions that the session never held. */
  | 'invented-names'
  | 'throws'
  /** Never answers, until it is aborted. */
  | 'hangs'
  | SummaryAnswer
  | ((request: SummaryRequest) => SummaryAnswer | Promise<SummaryAnswer>)

/** A summarizer that answers by a script, and remembers what it was asked. */
export interface ScriptedSummarizer extends Summarizer {
  readonly requests: readonly SummaryRequest[]
}

/**
 * A summarizer that answers from a list; its last answer is used for all further requests.
 * @example
 * const summarizer = scriptedSummarizer('empty', 'good')
 */
export function scriptedSummarizer(...answers: readonly ScriptedSummary[]): ScriptedSummarizer {
  const requests: SummaryRequest[] = []
  return {
    name: 'scripted',
    requests,
    async summarize(request, { signal }) {
      const answer = answers[Math.min(requests.length, answers.length - 1)] ?? 'good'
      requests.push(request)
      if (typeof answer === 'function') return answer(request)
      if (typeof answer === 'object') return answer
      return say(answer, request, signal)
    },
  }
}

async function say(
  answer: Extract<ScriptedSummary, string>,
  request: SummaryRequest,
  signal: AbortSignal | undefined,
): Promise<SummaryAnswer> {
  const good = goodSummary(request)
  const usage = { inputTokens: 1000, outputTokens: 100 }
  switch (answer) {
    case 'good':
      return { text: good, finish: 'stop', usage }
    case 'empty':
      return { text: ' \n', finish: 'stop', usage }
    case 'truncated':
      return { text: good.slice(0, Math.ceil(good.length / 2)), finish: 'length', usage }
    case 'tool-call':
      return { text: '', finish: 'tool-calls', usage }
    case 'refusal':
      return { text: 'I’m sorry, but I can’t help with that.', finish: 'stop', usage }
    case 'too-large':
      return { text: `${good}\n${'and so on '.repeat(request.budget)}`, finish: 'stop', usage }
    case 'missing-sections':
      return { text: good.slice(0, good.indexOf('\n## ')), finish: 'stop', usage }
    case 'invented-names':
      return {
        text: `${good}\n- \`src/never/was-there.ts\` holds inventedFunctionName`,
        finish: 'stop',
      }
    case 'throws':
      throw new Error('The summarizer is out of order.')
    case 'hangs':
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
  }
}

/** A short and true summary of the facts in the request's index. */
export function goodSummary({
  template,
  facts: index,
  previous,
  through,
  budget,
}: SummaryRequest): string {
  const changed = [...index.files.values()].filter(({ state }) => state !== 'read')
  const bodies: Record<string, string[]> = {
    goal: index.requests.slice(-1).map(({ text }) => firstLine(text)),
    instructions: index.rules
      .filter(({ retractedBy }) => retractedBy === undefined)
      .map(({ text }) => `- ${text}`),
    discoveries: [
      `- The summary covers the entries up to ${through}${previous ? ', with an earlier one' : ''}.`,
      // As much as a summary of a large head must say.
      `- ${'All of it was read and understood. '.repeat(Math.ceil(budget / 60)).trim()}`,
    ],
    accomplished: changed.slice(-20).map(({ path, state }) => `- \`${path}\` ${state}`),
    'relevant files': [...index.files.keys()].slice(-5).map((path) => `- \`${path}\``),
  }
  return template.sections
    .map(({ heading }) => {
      const body = bodies[heading.toLowerCase()] ?? []
      return `## ${heading}\n${body.length > 0 ? body.join('\n') : '(none)'}`
    })
    .join('\n\n')
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 200)
}

import type { AskClient } from '../summary-calls.ts'
import type { HeadQuestion } from '../../integrations/conversation/head-summarizer.ts'

/** A question that goes out with the request that the client makes for its own summary. */
export interface AskedThroughClient {
  ask: AskClient
  /** The first question, once it is asked. */
  question: Promise<HeadQuestion>
  give: (text: string) => void
  fail: (error: Error) => void
}

/** The client makes one request: what is asked after it goes to `otherwise`. */
export function summaryAnswer(otherwise: AskClient): AskedThroughClient {
  const question = Promise.withResolvers<HeadQuestion>()
  const answer = Promise.withResolvers<{ text: string; finish: 'stop' }>()
  answer.promise.catch(() => {})
  let isAsked = false
  return {
    question: question.promise,
    ask: async (asked) => {
      if (isAsked) return otherwise(asked)
      isAsked = true
      question.resolve(asked)
      return answer.promise
    },
    give: (text) => answer.resolve({ text, finish: 'stop' }),
    fail: (error) => answer.reject(error),
  }
}

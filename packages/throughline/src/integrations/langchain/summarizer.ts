import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { finishOf, usageOf, modelName } from './model-facts.ts'
import { headSummarizer, type HeadSummarizerOptions } from '../conversation/head-summarizer.ts'
import type { BaseLanguageModel } from '@langchain/core/language_models/base'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'

/**
 * Summaries by a LangChain chat model; a small one is enough. The session checks and repairs its
 * summaries, and manages without it if it fails. The model's own setting limits the length of an
 * answer.
 * @example
 * const summarizer = langchainSummarizer(new ChatOpenAI({ model: 'gpt-5-mini' }))
 */
export function langchainSummarizer(
  model: BaseLanguageModel,
  options: HeadSummarizerOptions = {},
): Summarizer {
  return headSummarizer(
    modelName(model),
    async ({ system, prompt, signal }) => {
      const messages = [new SystemMessage(system), new HumanMessage(prompt)]
      // The summary's text must not appear in the agent's stream.
      const config = { tags: ['nostream'], ...(signal && { signal }) }
      const answer: unknown = await model.invoke(messages, config)
      if (!AIMessage.isInstance(answer)) return { text: String(answer), finish: 'stop' as const }
      const usage = usageOf(answer)
      return { text: answer.text, finish: finishOf(answer), ...(usage && { usage }) }
    },
    options,
  )
}

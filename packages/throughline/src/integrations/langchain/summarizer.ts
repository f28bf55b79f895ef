import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { finishOf, usageOf } from './usage.ts'
import { headSummarizer, type HeadSummarizerOptions } from '../conversation/head-summarizer.ts'
import { modelName } from './model-facts.ts'
import type { BaseLanguageModel } from '@langchain/core/language_models/base'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'

/**
 * Summaries by a chat model of LangChain; a small one will do. The session checks and repairs what
 * it says, and does without it where it fails. How long an answer may be is the model's own setting.
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
      // Nothing that the summary says is part of what the agent streams.
      const config = { tags: ['nostream'], ...(signal && { signal }) }
      const answer: unknown = await model.invoke(messages, config)
      if (!AIMessage.isInstance(answer)) return { text: String(answer), finish: 'stop' as const }
      const usage = usageOf(answer)
      return { text: answer.text, finish: finishOf(answer), ...(usage && { usage }) }
    },
    options,
  )
}

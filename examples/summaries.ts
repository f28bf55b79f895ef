import { modelSummarizer } from 'throughline/ai-sdk'
import type { LanguageModel, ToolSet } from 'ai'
import type { Summarizer } from 'throughline'

/** The summarizer of docs/summaries.md. */
export function smallFirst(small: LanguageModel, model: LanguageModel, tools: ToolSet): Summarizer {
  // page: begin
  const summarizer = modelSummarizer(small, {
    // The session's own model is asked if the small one fails.
    fallback: model,
    // What the session's own requests contain besides the messages.
    livePrefix: { tools },
    // Needed only if the tables don't know the model.
    window: { context: 200_000 },
    prices: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    maxRetries: 1,
  })
  // page: end
  return summarizer
}

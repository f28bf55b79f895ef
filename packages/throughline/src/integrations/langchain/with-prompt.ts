import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'

/** A summarizer that is also told what the author of the agent wants a summary to hold. */
export function withPrompt(summarizer: Summarizer, prompt: string): Summarizer {
  return {
    name: summarizer.name,
    summarize: (request, options) => {
      const instruction = `${request.instruction}\n\nThe author of the agent adds, for what the summary is to hold:\n\n${prompt}`
      return summarizer.summarize({ ...request, instruction }, options)
    },
  }
}

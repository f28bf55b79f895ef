import { generateText, type LanguageModel, type ToolSet } from 'ai'
import { summaryBlock } from '../../compaction/summary-block.ts'
import { finishOf } from './finish.ts'
import { modelId } from './model-id.ts'
import { providerError } from './provider-error.ts'
import { transcriptText } from './transcript-text.ts'
import { usageOf } from './usage.ts'
import type {
  Summarizer,
  SummaryAnswer,
  SummaryRequest,
} from '../../compaction/summary/summarizer.ts'

type GenerateTextOptions = Parameters<typeof generateText<ToolSet>>[0]

/** What the request for a summary decides: the settings of `generateText` that are not taken. */
type Decided =
  | 'model'
  | 'messages'
  | 'prompt'
  | 'instructions'
  | 'system'
  | 'abortSignal'
  | 'stopWhen'
  | 'tools'
  | 'toolChoice'

/** Any other setting of the SDK's `generateText`. */
export type ModelSummarizerOptions = Omit<GenerateTextOptions, Decided>

/**
 * Summaries by a model of the AI SDK; a small one will do. The session checks and repairs what it
 * says, and does without it where it fails.
 * @example
 * const session = await openSession({ ...options, summarizer: modelSummarizer(model) })
 */
export function modelSummarizer(
  model: LanguageModel,
  settings: ModelSummarizerOptions = {},
): Summarizer {
  return {
    name: modelId(model),
    async summarize(request, { signal }): Promise<SummaryAnswer> {
      try {
        const { text, finishReason, usage } = await generateText<ToolSet>({
          ...settings,
          model,
          instructions: request.instruction,
          messages: [{ role: 'user', content: summaryPrompt(request) }],
          ...(signal && { abortSignal: signal }),
        })
        const finish = finishOf(finishReason)
        const counted = usageOf(usage)
        return {
          text,
          finish: finish === 'aborted' ? 'other' : finish,
          ...(counted && { usage: counted }),
        }
      } catch (error) {
        throw providerError(error)
      }
    },
  }
}

function summaryPrompt({ previous, head }: SummaryRequest): string {
  const earlier =
    previous === undefined ? [] : [summaryBlock({ summary: previous, pins: [], takenBack: [] })]
  return [...earlier, transcriptText(head), 'Write the summary now.'].join('\n\n')
}

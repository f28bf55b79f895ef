import { aiSdkWriter } from './ai-sdk/writer.ts'
import { anthropicWriter } from './anthropic/writer.ts'
import { openaiChatWriter } from './openai-chat/writer.ts'
import { openaiResponsesWriter } from './openai-responses/writer.ts'
import type { FormatWriter } from './writing/format-writer.ts'

/** What writes a session as a JSON document that is sent to a model, or given to an SDK. */
export const apiWriters: readonly FormatWriter[] = [
  aiSdkWriter,
  anthropicWriter,
  openaiResponsesWriter,
  openaiChatWriter,
]

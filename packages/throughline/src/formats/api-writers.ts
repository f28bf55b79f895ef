import { aiSdkWriter } from './ai-sdk/writer.ts'
import { anthropicWriter } from './anthropic/writer.ts'
import { openaiChatWriter } from './openai-chat/writer.ts'
import { openaiResponsesWriter } from './openai-responses/writer.ts'
import type { FormatWriter } from './writing/format-writer.ts'

/** The writers that turn a session into a JSON document for a model or an SDK. */
export const apiWriters: readonly FormatWriter[] = [
  aiSdkWriter,
  anthropicWriter,
  openaiResponsesWriter,
  openaiChatWriter,
]

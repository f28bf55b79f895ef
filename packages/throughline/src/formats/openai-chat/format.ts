import { detectApi } from '../detect/detect-api.ts'
import { openaiChatReader } from './reader.ts'
import type { Format } from '../format.ts'

/** Messages of OpenAI's Chat Completions: alone, or in requests and completions. */
export const openaiChat: Format = {
  name: 'openai-chat',
  place: 'messages of Chat Completions as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'openai-chat',
  reader: openaiChatReader,
}

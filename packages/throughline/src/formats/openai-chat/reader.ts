import { apiReader } from '../api-reader.ts'
import { documentOf } from './document.ts'
import { messageReader } from './message-reader.ts'
import type { FormatReader } from '../format.ts'

/** A fresh reader for messages of Chat Completions. */
export function openaiChatReader(): FormatReader {
  return apiReader({ documentOf, messageReader })
}

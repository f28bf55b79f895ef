import { apiReader } from '../api-reader.ts'
import { documentOf } from './document.ts'
import { messageReader } from './message-reader.ts'
import type { FormatReader } from '../format.ts'

/** A fresh reader for messages of the Messages API. */
export function anthropicReader(): FormatReader {
  return apiReader({ documentOf, messageReader })
}

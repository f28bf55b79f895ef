import { apiReader } from '../api-reader.ts'
import { documentOf } from './document.ts'
import { itemReader } from './item-reader.ts'
import type { FormatReader } from '../format.ts'

/** A fresh reader for items of the Responses API. */
export function openaiResponsesReader(): FormatReader {
  return apiReader({ documentOf, messageReader: itemReader })
}

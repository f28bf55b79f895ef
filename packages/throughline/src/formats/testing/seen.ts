import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { contextOf } from '../../log/context/context.ts'
import { partsOf } from '../../log/message.ts'
import type { Format } from '../format.ts'

/** What the model sees in the end, a line an item. */
export function seen(format: Format, records: readonly unknown[]): string[] {
  return contextOf(logOf(draftsOf(format, records))).items.map((item) => {
    if (item.type === 'summary') return `summary: ${item.summary}`
    if (item.type === 'continuation') return `continuation: ${item.continuation.kind}`
    if (item.type !== 'message') return item.type
    const parts = partsOf(item.message).map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'tool-result' && 'value' in part.output
        ? String(part.output.value)
        : part.type
    })
    return parts.join(' | ')
  })
}

import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { partsOf } from '../../log/message.ts'
import type { Format, SessionFacts } from '../format.ts'

/** One line a draft: who said it, and what its parts are. */
export function outline(format: Format, records: readonly unknown[]): string[] {
  return draftsOf(format, records).map((draft) => {
    if (draft.kind === 'rewind') return `rewind to ${draft.to}`
    if (draft.kind === 'checkpoint') {
      const kept = draft.tail.map((item) => (item.type === 'entry' ? item.seq : item.text))
      return `checkpoint: ${draft.summary}, kept ${kept.join(' ')}`
    }
    if (draft.kind !== 'message') return draft.kind
    const parts = partsOf(draft.message).map((part) => {
      if (part.type === 'text') return part.text
      return 'toolCallId' in part ? `${part.type} ${part.toolCallId}` : part.type
    })
    return `${draft.origin}: ${parts.join(' | ')}`
  })
}

/** What the records said about their session. */
export function factsIn(format: Format, records: readonly unknown[]): SessionFacts {
  const reader = format.reader()
  for (const record of records) reader.push(record)
  reader.end()
  return reader.facts()
}

import { messageText } from '../../log/message-text.ts'
import { partsOf } from '../../log/message.ts'
import { scanNames } from '../../facts/names/scan.ts'
import type { Chronological } from '../../log/order.ts'
import type { Index } from '../../facts/facts.ts'

const mark = ' (not seen in this session)'

/**
 * Marks every path and identifier of a text that the session never held. It is not deleted:
 * it may be planned. Each is marked where it first stands.
 */
export function markUnseen(text: string, index: Index, log: Chronological): string {
  const ends: number[] = []
  const seen = new Set<string>()
  scanNames(text, {
    name: (source, start, end, kind) => {
      if (kind === 'ticket') return
      const name = source.slice(start, end)
      if (seen.has(name)) return
      seen.add(name)
      if (!isHeld(name, index, log)) ends.push(afterQuote(source, end))
    },
  })
  let marked = ''
  let from = 0
  for (const end of ends) {
    marked += text.slice(from, end) + mark
    from = end
  }
  return marked + text.slice(from)
}

function isHeld(name: string, index: Index, log: Chronological): boolean {
  return index.names.has(name) || index.files.has(name) || log.some((entry) => holds(entry, name))
}

function holds(entry: Chronological[number], name: string): boolean {
  // A summary of ours may hold names that were marked; one that was imported is all we have.
  if (entry.kind === 'checkpoint') {
    return entry.metadata['rung'] === undefined && entry.summary.includes(name)
  }
  if (entry.kind === 'pin') return entry.text.includes(name)
  if (entry.kind !== 'message') return false
  return (
    messageText(entry.message).includes(name) ||
    partsOf(entry.message).some(
      (part) => part.type === 'tool-call' && (JSON.stringify(part.input) ?? '').includes(name),
    )
  )
}

function afterQuote(text: string, end: number): number {
  return text[end] === '`' ? end + 1 : end
}

import { stringLeaves } from '../../json/fields.ts'
import { entryAt, type Chronological } from '../../log/order.ts'
import { partText, partsOf } from '../../log/message.ts'
import { replaceParts } from '../../log/context/items-of.ts'
import type { PlannedCut } from './planned-cut.ts'

/** The texts that will appear next to the summary, which therefore needn't repeat them. */
export function textsBeside(
  cut: Pick<PlannedCut, 'tail' | 'continuation'>,
  log: Chronological,
): string[] {
  const texts = cut.tail.flatMap((item): string[] => {
    if (item.type === 'omission') return [item.text]
    const entry = entryAt(log, item.seq)
    if (entry?.kind !== 'message') return []
    const message = item.replacements
      ? replaceParts(entry.message, item.replacements)
      : entry.message
    return partsOf(message).flatMap((part) => {
      if (part.type === 'reasoning') return []
      return part.type === 'tool-call' ? [...stringLeaves(part.input)] : [partText(part)]
    })
  })
  if (!cut.continuation) return texts
  return [...texts, ...partsOf(cut.continuation.message).map(partText)]
}

import { clipText } from '../../clip/clip.ts'
import { messageText } from '../../../log/message-text.ts'
import { estimatedTokens } from '../../../tokens/units.ts'
import type { Message } from '../../../log/message.ts'
import type { Unit } from '../../../log/steps.ts'
import type { Counter } from '../../../tokens/counter.ts'

/** What stands before such a message. */
export const keptMark = 'Kept word for word behind your summary, so it need not be repeated:'

// A longer one is told by its beginning and its end.
const most = estimatedTokens(500)

/**
 * The human's messages that stay in the context, marked as kept: whoever summarizes the head must
 * know what the work is about now.
 */
export function keptMessages(
  units: readonly Unit[],
  { head, counter }: { head: readonly Unit[]; counter: Counter },
): Message[] {
  const summarized = new Set(head)
  return units.flatMap((unit): Message[] => {
    if (unit.type !== 'human' || summarized.has(unit)) return []
    const words = messageText(unit.message).trim()
    if (words === '') return []
    const text = clipText(words, { budget: most, count: counter.text, note: '…' })
    return [{ role: 'user', content: `${keptMark}\n${text}` }]
  })
}

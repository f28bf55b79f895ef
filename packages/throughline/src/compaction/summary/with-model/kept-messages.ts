import { messageText, type UserMessage } from '../../../log/message.ts'
import { clipText } from '../../clip/clip.ts'
import { estimatedTokens } from '../../../tokens/units.ts'
import type { HumanUnit, Unit } from '../../../log/steps.ts'
import type { Counter } from '../../../tokens/counter.ts'

/** The label before a message that stays in the context. */
export const keptMark =
  'This message stays in the conversation word for word, so your summary need not repeat it:'

// Of a longer one, the beginning and the end are shown.
const most = estimatedTokens(500)

/**
 * A head with the human's messages that stay in the context, each marked, in its place: whoever
 * summarizes the head must know what was asked and answered where, and what the work is about now.
 */
export function withKeptMessages(
  head: readonly Unit[],
  {
    units,
    summarized,
    counter,
  }: { units: readonly Unit[]; summarized: readonly Unit[]; counter: Counter },
): Unit[] {
  const read = new Set(head)
  const goes = new Set(summarized)
  return units.flatMap((unit): Unit[] => {
    if (read.has(unit)) return [unit]
    if (goes.has(unit) || unit.type !== 'human') return []
    const words = messageText(unit.message).trim()
    return words === '' ? [] : [marked(unit, words, counter)]
  })
}

function marked({ seq }: HumanUnit, words: string, counter: Counter): HumanUnit {
  const text = clipText(words, { budget: most, count: counter.text, note: '…' })
  const message: UserMessage = { role: 'user', content: `${keptMark}\n${text}` }
  const item = { type: 'message', seq, message, origin: 'human' } as const
  return { type: 'human', item, items: [item], seq, message }
}

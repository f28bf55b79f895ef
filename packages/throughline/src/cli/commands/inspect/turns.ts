import { messageText } from '../../../log/message-text.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import type { RealCounter } from '../../sizes/real-counter.ts'
import type { Rendered } from '../../../compaction/render/render.ts'
import type { Seq } from '../../../log/entry.ts'
import type { Unit } from '../../../log/steps.ts'

/** The size of one turn in the context: a human message and everything up to the next one. */
export interface Turn {
  /** The entry of the human message, or of the first message if no human began. */
  seq: Seq
  /** The beginning of the human message. */
  text: string
  steps: number
  tokens: number
}

const longestText = 200

/** The turns in the order in which the model sees them. */
export function turnsOf(
  units: readonly Unit[],
  { messages, seqs }: Rendered,
  counter: RealCounter,
): Turn[] {
  const tokens = new Map<Seq, number>()
  messages.forEach((message, index) => {
    const seq = seqs[index] ?? 0
    tokens.set(seq, (tokens.get(seq) ?? 0) + counter.message(message))
  })
  const turns: Turn[] = []
  for (const unit of units) {
    if (unit.type === 'human') {
      const text = sanitizeLine(messageText(unit.message).slice(0, longestText))
      turns.push({ seq: unit.seq, text: text || '(no text)', steps: 0, tokens: 0 })
    } else if (turns.length === 0) {
      turns.push({ seq: unit.item.seq, text: '(before the first turn)', steps: 0, tokens: 0 })
    }
    const turn = turns.at(-1) as Turn
    if (unit.type === 'step') turn.steps += 1
    for (const { seq } of unit.items) {
      turn.tokens += tokens.get(seq) ?? 0
      tokens.delete(seq)
    }
  }
  return turns
}

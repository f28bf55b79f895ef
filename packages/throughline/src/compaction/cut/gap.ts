import { quotedAnswerLabel } from '../../facts/labels.ts'
import { clipText, clipNote, type Clipping } from '../clip/clip.ts'
import { ref } from '../../log/ref.ts'
import { assistantText, messageText } from '../../log/message.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Omission, Seq } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import { most, share, type EstimatedTokens } from '../../tokens/units.ts'

// How much of the tail the quoted answer before a human message may take.
const quoteShare = 0.25

/**
 * The marker for units that are left out of the tail. Before a human message, it quotes what the
 * assistant had just said: "skip 5 and 7, do the rest" is useless without it.
 */
export function gapItem(
  left: readonly Unit[],
  {
    quote,
    first,
    budget,
    ...clipping
  }: Clipping & { quote: boolean; first: boolean; budget: EstimatedTokens },
): Omission | undefined {
  const from = left[0]?.items[0]?.seq as Seq
  const to = left.at(-1)?.items.at(-1)?.seq as Seq
  const quoted = quote ? quoteOf(left, share(budget, quoteShare), clipping) : undefined
  const steps = left.reduce((sum, { type }) => sum + (type === 'step' ? 1 : 0), 0)
  const marker = first
    ? undefined
    : `[${steps > 0 ? counted(steps, 'step') : counted(left.length, 'message')} left out here, entries ${from}–${to}; the summary covers them.]`
  const text = [marker, quoted].filter((line) => line !== undefined).join('\n')
  return text === '' ? undefined : { type: 'omission', from, to, text }
}

const OWN_MARK =
  /^\[(?:\d{1,15} (?:step|message)s? (?:is|are) left out here|The assistant had just said:\]\n)/

/**
 * Whether it is a marker or a continuation of an earlier cut, which came back from a file as a
 * message: every cut makes its own.
 */
export function isOfEarlierCut(item: ContextItem): boolean {
  if (item.type !== 'message') return false
  if (item.origin === 'synthetic') return item.metadata?.compaction_continue === true
  return item.origin === 'harness' && OWN_MARK.test(messageText(item.message))
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} is` : `${count} ${what}s are`
}

function quoteOf(
  left: readonly Unit[],
  budget: EstimatedTokens,
  { counter, recallTool }: Clipping,
): string | undefined {
  const step = left.findLast((unit) => unit.type === 'step')
  if (step?.type !== 'step' || step.item.message.role !== 'assistant') return undefined
  const text = assistantText(step.item.message)
  if (text.trim() === '') return undefined
  const note = clipNote(ref(step.item.seq), recallTool)
  // An item that is shorter than the note about its omission is kept.
  const room = most(budget, counter.text(note))
  const clipped = clipText(text, { budget: room, count: counter.text, note })
  return clipped === note ? undefined : `${quotedAnswerLabel}\n${clipped}`
}

import { outputText, type Message } from '../../log/message.ts'
import { replaceParts } from '../../log/context/items-of.ts'
import { modelOrder } from '../../log/order.ts'
import { clipText, clipNote } from '../clip/clip.ts'
import { keptReplacements } from '../clip/describe-media.ts'
import { isReplaced, isResult, locatedParts } from '../clip/parts.ts'
import { renderContext } from '../render/render.ts'
import { summaryAsUser } from '../render/summary-block.ts'
import { estimatedTokens } from '../../tokens/units.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Origin, Replacement } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Counter } from '../../tokens/counter.ts'

// How much a summarizer reads of one tool output; opencode 1.18.33 and pi cut at 2,000 characters.
const outputBudget = estimatedTokens(500)

interface TranscriptInput {
  head: readonly Unit[]
  /** The whole context that the head is part of. */
  units: readonly Unit[]
  protectedTools: readonly string[]
  counter: Counter
}

/** A head as a summarizer reads it. */
export type TranscriptStrategy = (input: TranscriptInput) => Message[]

/**
 * The default: clipped outputs (T9), media as text, no reasoning, each call with its result.
 * Results of protected tools stay whole.
 */
export const prunedTranscript: TranscriptStrategy = ({ head, protectedTools, counter }) => {
  const whole = new Set(protectedTools.map((tool) => tool.toLowerCase()))
  const clipped = head.flatMap((unit) =>
    locatedParts(unit)
      .filter(isResult)
      .filter((located) => !isReplaced(located) && !whole.has(located.part.toolName.toLowerCase()))
      .flatMap(({ ref, part }): Replacement[] => {
        const text = outputText(part.output)
        const note = clipNote(ref)
        const short = clipText(text, { budget: outputBudget, count: counter.text, note })
        return short === text ? [] : [{ how: 'clipped', ref, text: short }]
      }),
  )
  return transcriptOf(head, clipped)
}

/** The messages of a head with some parts replaced, in pairs that a provider accepts. */
export function transcriptOf(
  head: readonly Unit[],
  replacements: readonly Replacement[],
): Message[] {
  const bySeq = Map.groupBy(replacements, ({ ref }) => Number.parseInt(ref, 10))
  const items = head.flatMap((unit) =>
    unit.items.map((item) => withReplacements(item, bySeq.get(item.seq) ?? [])),
  )
  // The message after the head closes its open calls; it isn't part of the head.
  const end: ContextItem = { type: 'omission', seq: 0, from: 0, to: 0, text: '' }
  const { messages } = renderContext(modelOrder([...items, end]), summaryAsUser)
  return messages.slice(0, -1)
}

function withReplacements(item: ContextItem, clipped: readonly Replacement[]): ContextItem {
  if (item.type !== 'message') return item
  const refs = new Set(clipped.map(({ ref }) => ref))
  const own = [...keptReplacements(item).filter(({ ref }) => !refs.has(ref)), ...clipped]
  const message = own.length > 0 ? replaceParts(item.message, own) : item.message
  return { ...item, message: asWritten(message, item.origin), kept: 'bare' }
}

/** The label before what a program wrote in the place of the user: a reminder, the output of a command. */
export const programMark = 'Written by a program, not by the user:'

function asWritten(message: Message, origin: Origin): Message {
  if (origin !== 'harness' || message.role !== 'user') return message
  const { content } = message
  if (typeof content === 'string') return { ...message, content: `${programMark}\n${content}` }
  return { ...message, content: [{ type: 'text', text: programMark }, ...content] }
}

import { fieldsOf, textOf } from '../../json/fields.ts'
import { formatTokens } from '../../tokens/windows.ts'
import type { Session } from '../session.ts'

/** How the `compact` tool is described to a model. */
export const compactDescription =
  'Asks for the conversation so far to be summarized after this step, so that there is room for what comes next. The work goes on behind the summary; nothing is lost, and what was left out can be read back. Useful when a piece of work is done and the next one is a different one, or before reading a lot.'

/** The tool's input as JSON Schema. */
export const compactInputSchema = {
  type: 'object',
  properties: {
    focus: {
      type: 'string',
      description: 'What the summary should cover in most detail: usually what comes next.',
    },
    keep: {
      type: 'string',
      description: 'Text that must stand in the context word for word afterwards.',
    },
  },
  additionalProperties: false,
} as const

/** A compaction that the agent asked for, to be done at the border of the next step. */
export interface CompactionAsked {
  focus?: string
  keep?: string
}

/** What a tool returns to the model, and what it is to be done. */
export type CompactReply = { text: string; asked: CompactionAsked } | { error: string }

const fewestSteps = 2

/**
 * Whether a compaction that the agent asks for will be done. Below half of what triggers one by
 * itself it would gain little, and it is refused in one sentence.
 */
export function compactReply(session: Session, input: unknown): CompactReply {
  const { tokens } = session.measure()
  const { threshold, lowWater } = session.budget()
  const worth = Math.floor(threshold / 2)
  if (tokens < worth) {
    return {
      error: `Not needed: the context has ${formatTokens(tokens)} tokens, and below ${formatTokens(worth)} a compaction gains little.`,
    }
  }
  const { checkpoint, items } = session.context()
  const made = checkpoint?.seq ?? 0
  const steps = items.filter(
    (item) => item.type === 'message' && item.message.role === 'assistant' && item.seq > made,
  )
  if (checkpoint && steps.length < fewestSteps) {
    return { error: 'Not now: the last compaction was a moment ago.' }
  }
  if (tokens <= lowWater && checkpoint) {
    return { error: 'Not now: nothing would become smaller.' }
  }
  const fields = fieldsOf(input)
  const [focus, keep] = [textOf(fields?.['focus'])?.trim(), textOf(fields?.['keep'])?.trim()]
  return {
    text: 'Requested: it is done after this step, and the work goes on.',
    asked: { ...(focus && { focus }), ...(keep && { keep }) },
  }
}

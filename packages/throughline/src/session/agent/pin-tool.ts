import { fieldsOf, textOf } from '../../json/fields.ts'
import { PinBudgetError } from '../../compaction/errors.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import type { Session } from '../session.ts'

/** How the `pin` tool is described to a model. */
export const pinDescription =
  'Keeps a short text in the context through every compaction, word for word, marked as noted by you. For what must not be lost: a decision, a constraint that was found, an exact value.'

/** The tool's input as JSON Schema. */
export const pinInputSchema = {
  type: 'object',
  properties: { text: { type: 'string', description: 'What to keep, in a few lines.' } },
  required: ['text'],
  additionalProperties: false,
} as const

/** The prefix of what the agent pinned: no human said it. */
export const agentsPin = 'Noted by the agent: '

// The agent's notes must leave room for the human's rules.
const share = 4

/** Pins a text that the agent wants to keep; what doesn't fit is explained to it. */
export async function pinReply(
  session: Session,
  input: unknown,
): Promise<{ text: string } | { error: string }> {
  const text = textOf(fieldsOf(input)?.['text'])?.trim()
  if (!text) return { error: 'There is nothing to pin: give text.' }
  const own = [...session.context().pins.values()].filter((pin) => pin.text.startsWith(agentsPin))
  const { counter, policy } = session
  const limit = Math.floor(policy.standing(session.budget().usable) / share)
  const words = [...own.map((pin) => pin.text), agentsPin + text].join('\n')
  if (counter.text(words) * counter.ratio > limit) {
    return { error: `Your notes may hold ${limit} tokens together: pin less, or shorter.` }
  }
  try {
    await session.pin(agentsPin + text)
    return { text: 'Pinned.' }
  } catch (error) {
    if (!PinBudgetError.isInstance(error)) throw error
    return { error: sanitizeLine(error.message) }
  }
}

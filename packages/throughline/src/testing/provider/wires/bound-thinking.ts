import { createHash } from 'node:crypto'
import { objectsOf } from '../../../json/fields.ts'
import type { Fields } from '../refusal-body.ts'

/**
 * The signature of the thinking that answers these messages: it depends on all of them, except for
 * their cache marks.
 */
export function sealOf(system: unknown, messages: readonly unknown[]): string {
  const said = JSON.stringify([system ?? [], messages], (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  )
  return `sealed-${createHash('sha256').update(said).digest('hex').slice(0, 16)}`
}

/** Thinking by this provider that follows other messages than those it answered. */
export function unboundThinking({ system, messages }: Fields): string[] {
  const all = objectsOf(messages)
  return all.flatMap(({ content }, index) => {
    const seal = sealOf(system, all.slice(0, index))
    return objectsOf(content).flatMap(({ type, signature }, block) =>
      type === 'thinking' && signature !== seal
        ? `messages.${index}.content.${block}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`
        : [],
    )
  })
}

const thinking: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking'])

/**
 * Answers with calls that do not begin with thinking, since the newest message that a user wrote:
 * one that brings results goes on with the loop, whatever else it says.
 */
export function thoughtlessCalls(messages: readonly Fields[]): string[] {
  const loop = messages.findLastIndex(
    ({ role, content }) =>
      role === 'user' && !objectsOf(content).some(({ type }) => type === 'tool_result'),
  )
  return messages.flatMap(({ role, content }, index) => {
    const blocks = objectsOf(content)
    if (index < loop || role !== 'assistant') return []
    const [first] = blocks
    if (!blocks.some(({ type }) => type === 'tool_use') || thinking.has(first?.['type'])) return []
    return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first?.['type'])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`
  })
}

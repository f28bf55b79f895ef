import { createHash } from 'node:crypto'
import { objectsOf } from '../../../json/fields.ts'
import type { Fields } from '../wire.ts'

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

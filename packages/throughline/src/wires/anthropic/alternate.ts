import type { Pair } from '../wire.ts'
import type { AnthropicMessage } from './message.ts'

/**
 * Merges new content with a neighbor of the same role, because some servers of this API require
 * alternating roles. The caller's own messages are not merged with each other; their blocks stay
 * the same objects.
 */
export function alternate<M extends AnthropicMessage>(
  sent: readonly Pair<M>[],
  came: readonly M[],
): Pair<M>[] {
  const known = new Set(came)
  const joined: Pair<M>[] = []
  for (const pair of sent) {
    const before = joined.at(-1)
    const [one, other] = [before?.natives.at(-1), pair.natives[0]]
    const isSeam = one && other && one.role === other.role && !(known.has(one) && known.has(other))
    if (!before || !isSeam || one.role === 'system') {
      joined.push(pair)
      continue
    }
    const content = [...blocksOf(one), ...blocksOf(other)]
    joined[joined.length - 1] = {
      natives: [...before.natives.slice(0, -1), { ...one, content }, ...pair.natives.slice(1)],
      messages: [...before.messages, ...pair.messages],
    }
  }
  return joined
}

export function blocksOf({ content = '' }: AnthropicMessage): readonly { type: string }[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content } as { type: string }]
}

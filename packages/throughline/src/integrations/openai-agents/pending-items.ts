import { fieldsOf } from '../../json/fields.ts'
import { keyPool, type KeyPool } from '../../match/key-pool.ts'
import type { AgentItem } from '../../wires/openai-agents/contents.ts'

const keys = new WeakMap<AgentItem, string>()

/** What an item says, without what a provider or the SDK may add to it or take from it. */
function keyOf(item: AgentItem): string {
  let key = keys.get(item)
  if (key === undefined) keys.set(item, (key = madeKey(item)))
  return key
}

function madeKey(item: AgentItem): string {
  const { type, role, callId, content, id } = fieldsOf(item) ?? {}
  if (typeof callId === 'string') return JSON.stringify([type, callId])
  if (role !== undefined) return JSON.stringify([role, textsIn(content)])
  return JSON.stringify([type, id ?? item])
}

function textsIn(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const parts = content.map((part) => fieldsOf(part)?.['text'] ?? part)
  return parts.length === 1 ? parts[0] : parts
}

/** A list of items, of which each can be taken once. */
export function itemPool(items: readonly AgentItem[]): KeyPool<AgentItem> {
  const pool = keyPool(items.map(keyOf))
  return { take: (item) => pool.take(keyOf(item)) }
}

/** The items that are not among others, as often as they are there. */
export function itemsBeside(
  items: readonly AgentItem[],
  others: readonly AgentItem[],
): AgentItem[] {
  const pool = itemPool(others)
  return items.filter((item) => !pool.take(item))
}

import { compactedBy, providerCompactionIn } from './provider-compaction.ts'
import { modelOrder, type ModelOrder } from '../order.ts'
import type { ContextItem, MessageItem } from './context-item.ts'

/** Whose compactions a context shows. */
export interface BlocksRead {
  /** Who will answer; `undefined` where nobody knows: then no checkpoint's block is shown. */
  provider: string | undefined
  /** The provider did not take its own back. */
  refused: boolean
}

export const noBlocksRead: BlocksRead = { provider: undefined, refused: false }

/** A message as the provider reads it: without what only another one can read. */
export function readItem(item: MessageItem, { provider, refused }: BlocksRead): MessageItem {
  if (providerCompactionIn(item.message) === undefined) return item
  const isForeign = provider !== undefined && compactedBy(item.message) !== provider
  return refused || isForeign ? { ...item, unread: true } : item
}

/**
 * The items after a provider has refused its own compactions; the very same if there are none. What
 * they stand for is there again: our summary in place of a checkpoint's block, and everything before
 * one that came with an answer.
 */
export function withoutBlocks(items: ModelOrder): ModelOrder {
  const next = items.map(withoutBlock)
  return next.some((item, index) => item !== items[index]) ? modelOrder(next) : items
}

function withoutBlock(item: ContextItem): ContextItem {
  if (item.type === 'message') {
    return item.unread ? item : readItem(item, { provider: undefined, refused: true })
  }
  if (item.type !== 'summary' || !item.block) return item
  const { block: _, ...summary } = item
  return summary
}

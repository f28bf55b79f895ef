import { describeMedia } from '../continuation/describe-media.ts'
import type { ContextItem } from '../../log/context-item.ts'
import type { Replacement } from '../../log/entry.ts'

/** What stands in place of an item's parts when it is kept: earlier prunes, and its media as text. */
export function keptReplacements(item: ContextItem): Replacement[] {
  if (item.type === 'continuation') return item.continuation.replacements ?? []
  if (item.type !== 'message') return []
  return [...(item.replacements ?? []), ...describeMedia(item.message, item.seq)]
}

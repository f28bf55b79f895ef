import { hasItemId, isReasoning, keepsReasoning } from '../../log/context/kept-reasoning.ts'
import { keptMessage, renderContext } from './render.ts'
import { modelOrder } from '../../log/order.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { summaryAsUser, type SummaryRole } from './summary-block.ts'
import type { Context } from '../../log/context/context.ts'
import type { ContextItem, MessageItem } from '../../log/context/context-item.ts'

/** How a host makes its own message objects of what a context shows. */
export interface HostForms<Native> {
  /**
   * The host's own object that holds this message; `undefined` if it has none. One object may hold
   * several: an answer with its results, or words of the human and of the harness.
   */
  original: (item: MessageItem) => Native | undefined
  /** A message that the host does not have: a summary, a marker, a pin, a continuation. */
  say: (message: Message, item: ContextItem) => Native
  /** A copy of the host's object that shows these messages, and nothing else. */
  replace: (native: Native, shown: readonly MessageItem[]) => Native
  /**
   * How many messages of the log the host's object holds: where the context shows fewer, it is
   * replaced. By default, what the context shows of it is all of it.
   */
  holds?: (native: Native) => number
}

/**
 * A context as the host's own messages, in the model's order. What the context shows as it was said
 * is the host's own object, the very same; what was clipped or pruned is what `replace` makes of
 * it; the rest is what `say` makes.
 * @example
 * const messages = project(session.context(), { original, say, replace })
 */
export function project<Native extends object>(
  context: Pick<Context, 'items'>,
  forms: HostForms<Native>,
  summaryRole: SummaryRole = summaryAsUser,
): Native[] {
  const places: { native: Native; shown?: MessageItem[] }[] = []
  const known = new Map<Native, MessageItem[]>()
  for (const item of context.items) {
    const native = item.type === 'message' ? forms.original(item) : undefined
    if (item.type !== 'message' || native === undefined) {
      const { messages } = renderContext(modelOrder([item]), summaryRole)
      places.push(...messages.map((message) => ({ native: forms.say(message, item) })))
      continue
    }
    const shown = known.get(native)
    if (shown) {
      shown.push(item)
      continue
    }
    const first = [item]
    known.set(native, first)
    places.push({ native, shown: first })
  }
  return places.flatMap(({ native, shown }) => (shown ? shownOf(native, shown, forms) : [native]))
}

function shownOf<Native>(
  native: Native,
  items: readonly MessageItem[],
  { replace, holds }: HostForms<Native>,
): Native[] {
  if (items.length === (holds?.(native) ?? items.length) && items.every(isAsSaid)) return [native]
  const shown = items.flatMap((item) => {
    const message = keptMessage(item)
    return message ? [{ ...item, message }] : []
  })
  return shown.length === 0 ? [] : [replace(native, shown)]
}

function isAsSaid(item: MessageItem): boolean {
  if (item.replacements?.length) return false
  if (item.message.role !== 'assistant' || keepsReasoning(item)) return true
  return !partsOf(item.message).some((part) => isReasoning(part) || hasItemId(part))
}

import { parseRef } from '../../log/ref.ts'
import { mapOwnRefs, mapRefNotes } from './own-refs.ts'
import { changeStrings } from '../../log/redaction/change-strings.ts'
import { foreignRef, readSourceLine, sourceAlias, sourceLine, sourcesOf } from '../../log/source.ts'
import { type Source, type Sources, type Replacement } from '../../log/entry.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { modelOrder, type Chronological, type ModelOrder } from '../../log/order.ts'
import type { ContextItem, MessageItem } from '../../log/context/context-item.ts'

/** A context that leaves its log. */
export interface Traveling {
  items: ModelOrder
  /** The lines that name the sources of its refs, for whoever writes it; none where it holds no refs. */
  lines: readonly string[]
}

/**
 * A context as another log can hold it: every ref that the engine wrote into it names its source,
 * or, where nobody could follow it because no source is known, is left out. What people, tools
 * and models said stays as it is.
 */
export function travelingContext(
  items: ModelOrder,
  log: Chronological,
  source: Source | undefined,
): Traveling {
  const sources: Sources = {
    ...sourcesOf(log),
    ...(source && { [sourceAlias(source)]: source }),
  }
  const change: ChangeRef =
    source === undefined ? () => undefined : (ref) => foreignRef(sourceAlias(source), ref)
  const changed = modelOrder(items.map((item) => travelingItem(item, change)))
  const named = new Set<string>()
  changeStrings(changed, (text) => {
    for (const alias of Object.keys(sources)) if (text.includes(`${alias}:`)) named.add(alias)
    return text
  })
  const used = Object.entries(sources).filter(([alias]) => named.has(alias))
  const lines = used.map(([, each]) => sourceLine(each))
  return { items: changed, lines }
}

/** The context with its sources named in the summary, where it begins with one. */
export function withSourcesNamed({ items, lines }: Traveling): ModelOrder {
  const [first, ...rest] = items
  if (first?.type !== 'summary' || lines.length === 0) return items
  const summary = `${first.summary}\n\n${lines.join('\n')}`
  return modelOrder([{ ...first, summary }, ...rest])
}

/** The replacement of a ref; `undefined` if it must be removed. */
type ChangeRef = (ref: string) => string | undefined

/** Sources are named anew of what a log knows, so no text can name one in its own. */
function withoutSourceLines(summary: string): string {
  const own = summary.split('\n').filter((line) => readSourceLine(line) === undefined)
  return own.join('\n').trimEnd()
}

function travelingItem(item: ContextItem, change: ChangeRef): ContextItem {
  switch (item.type) {
    case 'summary':
      return { ...item, summary: mapOwnRefs(withoutSourceLines(item.summary), change) }
    case 'omission':
      return { ...item, text: mapRefNotes(item.text, change) }
    case 'message':
      return item.replacements ? travelingMessage(item, item.replacements, change) : item
    case 'continuation': {
      const { message, replacements = [] } = item.continuation
      const changed = withoutBareRefs(message, replacements, change)
      return { ...item, continuation: { ...item.continuation, message: changed } }
    }
    case 'pin':
    case 'late':
      return item
  }
}

function travelingMessage(
  item: MessageItem,
  replacements: readonly Replacement[],
  change: ChangeRef,
): MessageItem {
  return { ...item, message: withoutBareRefs(item.message, replacements, change) }
}

/** Only the marker for a part is ours: the rest of a message was said. */
function withoutBareRefs<M extends Message>(
  message: M,
  replacements: readonly Replacement[],
  change: ChangeRef,
): M {
  const replaced = new Map(replacements.map(({ ref }) => [parseRef(ref)?.part, ref]))
  if (typeof message.content === 'string') {
    const own = replacements[0]?.ref
    if (own === undefined) return message
    return { ...message, content: mapRefNotes(message.content, change, own) }
  }
  const content = partsOf(message).map((part, index) => {
    const own = replaced.get(index)
    return own === undefined ? part : changeStrings(part, (text) => mapRefNotes(text, change, own))
  })
  return { ...message, content } as M
}

import { isFold } from '../../compaction/fold/fold.ts'
import { nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { partsOf } from '../../log/message.ts'
import type { Session } from '../../session/session.ts'

/**
 * pi's messages of a request with what was learned in the place of folded steps; `undefined` if
 * nothing is folded. Steps are known by the ids of their calls.
 */
export async function withFolds(
  session: Session,
  messages: readonly Fields[],
): Promise<Fields[] | undefined> {
  const { items } = session.context()
  const folds = items.filter(isFold)
  if (folds.length === 0) return undefined
  const shown = new Set(
    items.flatMap((item) => (item.type === 'message' ? partsOf(item.message) : [])).flatMap(callId),
  )
  const folded = new Map<string, string>()
  for (const entry of await session.log()) {
    if (entry.kind !== 'message') continue
    const fold = folds.find(({ from, to }) => from <= entry.seq && entry.seq <= to)
    for (const id of fold ? partsOf(entry.message).flatMap(callId) : []) {
      if (fold && !shown.has(id)) folded.set(id, fold.text)
    }
  }
  const said = new Set<string>()
  return messages.flatMap((message): Fields[] => {
    const ids = idsOf(message)
    const [text] = ids.flatMap((id) => folded.get(id) ?? [])
    if (text === undefined || !ids.every((id) => folded.has(id))) return [message]
    if (said.has(text)) return []
    said.add(text)
    const { timestamp = 0 } = message
    return [{ role: 'user', content: [{ type: 'text', text }], timestamp }]
  })
}

function callId(part: { type: string; toolCallId?: string }): string[] {
  return part.type === 'tool-call' || part.type === 'tool-result' ? [part.toolCallId ?? ''] : []
}

function idsOf({ role, content, toolCallId }: Fields): string[] {
  if (role === 'toolResult') return [nameOf(toolCallId) ?? '']
  if (role !== 'assistant') return []
  return objectsOf(content).flatMap((part) =>
    part['type'] === 'toolCall' ? (nameOf(part['id']) ?? []) : [],
  )
}

import { isFold } from '../../compaction/fold/fold.ts'
import { isReminder } from '../../compaction/cut/reminder-mark.ts'
import { messageText, partsOf } from '../../log/message.ts'
import { nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import type { Omission } from '../../log/entry.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Session } from '../../session/session.ts'

/**
 * pi's messages of a request with what was learned in the place of folded steps, and with the
 * reminder behind the step that it followed; `undefined` where there is nothing of ours to show.
 * Steps are known by the ids of their calls.
 */
export async function shownMessages(
  session: Session,
  messages: readonly Fields[],
): Promise<Fields[] | undefined> {
  const { items } = session.context()
  const folds = items.filter(isFold)
  const reminders = remindersIn(items)
  if (folds.length === 0 && reminders.length === 0) return undefined
  const folded = folds.length === 0 ? messages : await withFolds(session, messages, folds)
  return withReminders(folded, reminders)
}

async function withFolds(
  session: Session,
  messages: readonly Fields[],
  folds: readonly Omission[],
): Promise<Fields[]> {
  const shown = new Set(session.context().items.flatMap(callsIn))
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
    return [ownMessage(text, message)]
  })
}

/** A reminder, and the calls of the step that it stands behind. */
interface Reminder {
  text: string
  behind: ReadonlySet<string>
}

function remindersIn(items: readonly ContextItem[]): Reminder[] {
  return items.flatMap((item, index) => {
    if (item.type !== 'message' || !isReminder(item)) return []
    const before = items.slice(0, index).findLast((one) => callsIn(one).length > 0)
    return before ? { text: messageText(item.message), behind: new Set(callsIn(before)) } : []
  })
}

function withReminders(messages: readonly Fields[], reminders: readonly Reminder[]): Fields[] {
  const shown = [...messages]
  for (const { text, behind } of reminders) {
    const last = shown.findLastIndex((message) => idsOf(message).some((id) => behind.has(id)))
    const message = shown[last]
    if (message) shown.splice(last + 1, 0, ownMessage(text, message))
  }
  return shown
}

function ownMessage(text: string, { timestamp = 0 }: Fields): Fields {
  return { role: 'user', content: [{ type: 'text', text }], timestamp }
}

function callsIn(item: ContextItem): string[] {
  return item.type === 'message' ? partsOf(item.message).flatMap(callId) : []
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

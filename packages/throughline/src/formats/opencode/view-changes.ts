import { fieldsOf, nameOf, objectsOf, timeOf, type Fields } from '../../json/fields.ts'

/** What the messages of a session say, before any is given, of how the view changed. */
export interface ViewChanges {
  /** By the compaction's marker: the message that holds its summary. */
  summaryOf: ReadonlyMap<string, Fields>
  /** By the place of a message: the calls whose outputs were cleared before it. */
  clearedBefore: ReadonlyMap<number, Cleared[]>
}

/** A call whose output was cleared, and when. */
export interface Cleared {
  call: string
  at: number
}

export function viewChanges(messages: readonly Fields[]): ViewChanges {
  return { summaryOf: summaries(messages), clearedBefore: cleared(messages) }
}

/** A compaction has happened when its summary is whole; a failed one changed nothing. */
function summaries(messages: readonly Fields[]): Map<string, Fields> {
  const markers = new Set<string>()
  const found = new Map<string, Fields>()
  for (const message of messages) {
    const info = fieldsOf(message['info'])
    const id = nameOf(info?.['id'])
    if (id && compactionPart(message)) markers.add(id)
    const parent = nameOf(info?.['parentID'])
    if (!info || !parent || !markers.has(parent) || found.has(parent)) continue
    if (info['summary'] === true && nameOf(info['finish']) && !info['error']) {
      found.set(parent, message)
    }
  }
  return found
}

/** The part of a user's message that asks for a compaction. */
export function compactionPart(message: Fields): Fields | undefined {
  if (fieldsOf(message['info'])?.['role'] !== 'user') return undefined
  return objectsOf(message['parts']).find((part) => part['type'] === 'compaction')
}

/** opencode notes on each output when it was cleared, not where in the conversation. */
function cleared(messages: readonly Fields[]): Map<number, Cleared[]> {
  const clock = clockOf(messages)
  const places = new Map<number, Cleared[]>()
  messages.forEach((message, index) => {
    for (const part of objectsOf(message['parts'])) {
      const at = timeOf(fieldsOf(fieldsOf(part['state'])?.['time'])?.['compacted'])
      const call = nameOf(part['callID'])
      if (part['type'] !== 'tool' || at === undefined || !call) continue
      const place = firstAfter(clock, index, at)
      const calls = places.get(place)
      if (calls) calls.push({ call, at })
      else places.set(place, [{ call, at }])
    }
  })
  return places
}

/** By message: the latest time at which it or one before it was made. */
function clockOf(messages: readonly Fields[]): number[] {
  let latest = 0
  return messages.map((message) => {
    const time = fieldsOf(fieldsOf(message['info'])?.['time'])
    latest = Math.max(latest, timeOf(time?.['created']) ?? 0)
    return latest
  })
}

/** The first message behind `index` that was made after `at`; found in few steps, as times only grow. */
function firstAfter(clock: readonly number[], index: number, at: number): number {
  let low = index + 1
  let high = clock.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((clock[middle] ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}

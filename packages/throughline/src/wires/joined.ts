import { isSummaryBlock } from '../compaction/render/summary-block.ts'
import { listOf, type Fields } from '../json/fields.ts'
import { messageText, type Message, type ToolResultPart, type UserPart } from '../log/message.ts'
import type { Notes } from './note.ts'
import type { Pair } from './wire.ts'

/** How an API whose results are in the user's messages has their parts. */
interface UserReader {
  /** The result of a call; `undefined` for anything else. */
  result: (part: Fields) => ToolResultPart | undefined
  other: (part: Fields) => UserPart
  notes: Notes
}

/** A user's message: its results are a message of their own to us. What else it says is noted. */
export function readUserParts(
  all: readonly Fields[],
  { result: read, other, notes }: UserReader,
  noted: Fields,
): Message[] {
  const results: ToolResultPart[] = []
  const parts: UserPart[] = []
  /** The positions of the others among all. */
  const places: number[] = []
  all.forEach((part, index) => {
    const result = read(part)
    if (result) results.push(result)
    else {
      places.push(index)
      parts.push(other(part))
    }
  })
  if (results.length === 0) return withoutSummary(parts, noted, notes)
  const tool: Message = { role: 'tool', content: results, ...notes.with(noted) }
  if (parts.length === 0) return [tool]
  const isBehind = places.every((place) => place >= results.length)
  const joined = notes.with({ joins: true, ...(!isBehind && { places }) })
  return [tool, { role: 'user', content: parts, ...joined }]
}

/** One of our summaries is a separate message, even if it was merged with the next one. */
function withoutSummary(parts: UserPart[], noted: Fields, notes: Notes): Message[] {
  const [first] = parts
  if (parts.length < 2 || first?.type !== 'text' || !isSummaryBlock(first.text)) {
    return [{ role: 'user', content: parts, ...notes.with(noted) }]
  }
  return [
    { role: 'user', content: [first], ...notes.with(noted) },
    { role: 'user', content: parts.slice(1), ...notes.with({ joins: true }) },
  ]
}

/** Whether a user's message came as one with the results, or with the summary, before it. */
export function joinsUser(message: Message, next: Message): boolean {
  if (next.role !== 'user') return false
  return (
    message.role === 'tool' || (message.role === 'user' && isSummaryBlock(messageText(message)))
  )
}

/** What came as one message is written as one. */
export function writeJoined<Native>(
  messages: readonly Message[],
  { notes, joins }: { notes: Notes; joins: (message: Message, next: Message) => boolean },
  write: (message: Message, joined: Message | undefined, index: number) => Native,
): Pair<Native>[] {
  const pairs: Pair<Native>[] = []
  for (let index = 0; index < messages.length;) {
    const message = messages[index] as Message
    const next = messages[index + 1]
    const isOne = next !== undefined && notes.of(next)['joins'] === true && joins(message, next)
    const joined = isOne ? [next] : []
    pairs.push({ natives: [write(message, joined[0], index)], messages: [message, ...joined] })
    index += 1 + joined.length
  }
  return pairs
}

/** The parts of two messages in their original order, if none is missing. */
export function together(
  results: readonly Fields[],
  others: readonly Fields[],
  noted: Fields,
): Fields[] {
  const places = listOf(noted['places'])
  if (places.length !== others.length) return [...results, ...others]
  const all = [...results]
  others.forEach((part, index) => all.splice(Number(places[index]), 0, part))
  return all
}

import { fieldsOf, listOf, countOf } from '../../json/fields.ts'
import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText, outputText, partsOf } from '../../log/message.ts'
import { modelPart, responsePart, userPart, notes } from './read-parts.ts'
import { messagesIn, oneByOne, wireOf } from '../wire.ts'
import { restOf } from '../note.ts'
import { writtenParts } from './write-parts.ts'
import type { Fields } from '../../json/fields.ts'
import type { Message, Part, ToolCallPart, ToolResultPart, UserPart } from '../../log/message.ts'
import type { Calls, GeminiContent } from './read-parts.ts'
import type { Pair, Wire } from '../wire.ts'
import type { Reading, Writing } from '../reading.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The usage of an answer; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['promptTokenCount'])
  if (!inputTokens) return undefined
  const cacheReadTokens = countOf(usage?.['cachedContentTokenCount'])
  const said = countOf(usage?.['candidatesTokenCount']) ?? 0
  return {
    inputTokens,
    outputTokens: said + (countOf(usage?.['thoughtsTokenCount']) ?? 0),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}

const filtered: ReadonlySet<string | undefined> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
])

export function finishOf(reason: string | undefined): FinishReason {
  if (reason === 'STOP') return 'stop'
  if (reason === 'MAX_TOKENS') return 'length'
  return filtered.has(reason) ? 'content-filter' : 'other'
}

/** `contents` of Gemini's API. */
export const geminiWire: Wire<GeminiContent> = wireOf({
  reader(reading, before) {
    const calls = callsAfter(before)
    return oneByOne('contents', before, (native, place) =>
      readContent(native, { calls, reading }, place),
    )
  },
  write: writeMessages,
})

/** The calls up to here; those without an id get one by their place. */
function callsAfter(before: readonly Pair<GeminiContent>[]): Calls {
  let open: { id: string; name: string }[] = []
  const answered: Calls['answered'] = (name, id) => {
    const call = open.find((each) => (id === undefined ? each.name === name : each.id === id))
    open = open.filter((each) => each !== call)
    return id ?? call?.id ?? `unasked_${(nameless += 1)}`
  }
  let nameless = 0
  for (const message of messagesIn(before)) {
    for (const part of partsOf(message)) {
      if (part.type !== 'tool-call' && part.type !== 'tool-result') continue
      const { toolCallId: id, toolName: name } = part
      const isCall = part.type === 'tool-call'
      // A response has the id of its call: only one that nobody asked for was given one of its own.
      const hasOwn = isCall || !open.some((call) => call.id === id)
      if (hasOwn && notes.of(part)['nameless'] === true) nameless += 1
      if (isCall) open.push({ id, name })
      else answered(name, id)
    }
  }
  return {
    nameless: () => `nameless_${(nameless += 1)}`,
    made: (id, name) => void open.push({ id, name }),
    answered,
  }
}

/** What a content is read with. */
interface With {
  calls: Calls
  reading: Reading
}

function readContent(value: unknown, { calls, reading }: With, place: string): Message[] {
  const native = reading.fields(value, place)
  if (!native) return []
  const { role, parts } = native
  if (role !== undefined && role !== 'user' && role !== 'model' && role !== 'function') {
    const problem = `the role ${JSON.stringify(role)} is unknown`
    reading.misfit({ place, problem, reason: 'unknown-record' })
    return []
  }
  if (!Array.isArray(parts)) {
    reading.misfit({ place, problem: 'it has no list of parts', reason: 'empty' })
    return []
  }
  const all = listOf(parts).flatMap((part, index): Fields[] => {
    const fields = reading.fields(part, `${place}.parts[${index}]`)
    return fields ? [fields] : []
  })
  const isUsual = role === 'user' || role === 'model'
  const noted = { rest: restOf(native, ['role', 'parts']), ...(!isUsual && { role: role ?? null }) }
  if (role !== 'model') return userMessages(all, calls, noted)
  const content = all.map((part) => modelPart(part, calls))
  return [{ role: 'assistant', content, ...notes.with(noted) }]
}

/** Responses are in the user's content; to us, they are a separate message. */
function userMessages(all: readonly Fields[], calls: Calls, noted: Fields): Message[] {
  const results: ToolResultPart[] = []
  const parts: UserPart[] = []
  /** The positions of the others among all. */
  const places: number[] = []
  all.forEach((part, index) => {
    const result = responsePart(part, calls)
    if (result) results.push(result)
    else {
      places.push(index)
      parts.push(userPart(part))
    }
  })
  if (results.length === 0) return withoutSummary(parts, noted)
  const tool: Message = { role: 'tool', content: results, ...notes.with(noted) }
  if (parts.length === 0) return [tool]
  const isBehind = places.every((place) => place >= results.length)
  const joined = notes.with({ joins: true, ...(!isBehind && { places }) })
  return [tool, { role: 'user', content: parts, ...joined }]
}

/** One of our summaries is a separate message, even if it was merged with the next one. */
function withoutSummary(parts: UserPart[], noted: Fields): Message[] {
  const [first] = parts
  if (parts.length < 2 || first?.type !== 'text' || !isSummaryBlock(first.text)) {
    return [{ role: 'user', content: parts, ...notes.with(noted) }]
  }
  return [
    { role: 'user', content: [first], ...notes.with(noted) },
    { role: 'user', content: parts.slice(1), ...notes.with({ joins: true }) },
  ]
}

/** What came as one content is sent as one. */
function writeMessages(messages: readonly Message[], writing: Writing): Pair<GeminiContent>[] {
  const pairs: Pair<GeminiContent>[] = []
  for (let index = 0; index < messages.length;) {
    const message = messages[index] as Message
    const next = messages[index + 1]
    const joined = next && joins(message, next) ? [next] : []
    const at = { place: `contents[${index}]`, writing }
    pairs.push({ natives: [nativeOf(message, joined[0], at)], messages: [message, ...joined] })
    index += 1 + joined.length
  }
  return pairs
}

function joins(message: Message, next: Message): boolean {
  if (notes.of(next)['joins'] !== true || next.role !== 'user') return false
  return (
    message.role === 'tool' || (message.role === 'user' && isSummaryBlock(messageText(message)))
  )
}

/** The place of a message, and how it is written. */
interface At {
  place: string
  writing: Writing
}

function nativeOf(message: Message, joined: Message | undefined, at: At): GeminiContent {
  const { role: came, rest } = notes.of(message)
  const role = message.role === 'assistant' ? 'model' : 'user'
  const own = partsIn(message, at)
  const parts = joined ? together(own, partsIn(joined, at), joined) : own
  return {
    ...(came === undefined ? { role } : typeof came === 'string' ? { role: came } : {}),
    parts,
    ...fieldsOf(rest),
  }
}

function partsIn(message: Message, { place, writing }: At): Fields[] {
  return partsOf(message).flatMap((part, index) => {
    const at = `${place}.parts[${index}]`
    if (message.role !== 'assistant' || !isServed(part)) return writtenParts(part, at, writing)
    const problem = 'Gemini takes no call that another provider has run'
    const words = part.type === 'tool-result' ? outputText(part.output) : undefined
    const text = writing.instead({ place: at, problem, words })
    return text === undefined || text === '' ? [] : [{ text }]
  })
}

/** A call that a provider ran by itself, or its result. */
function isServed(part: Part): part is ToolCallPart | ToolResultPart {
  return (
    part.type === 'tool-result' || (part.type === 'tool-call' && part.providerExecuted === true)
  )
}

/** The parts of two messages in their original order, as far as none is missing. */
function together(results: Fields[], others: Fields[], joined: Message): Fields[] {
  const places = listOf(notes.of(joined)['places'])
  if (places.length !== others.length) return [...results, ...others]
  const all = [...results]
  others.forEach((part, index) => all.splice(Number(places[index]), 0, part))
  return all
}

import { fieldsOf, countOf } from '../../json/fields.ts'
import { fieldsIn, type Reading, type Writing } from '../reading.ts'
import { joinsUser, readUserParts, together, writeJoined } from '../joined.ts'
import { usageFrom } from '../usage.ts'
import { outputText, partsOf } from '../../log/message.ts'
import { modelPart, responsePart, userPart, notes } from './read-parts.ts'
import { messagesIn, oneByOne, wireOf } from '../wire.ts'
import { restOf } from '../note.ts'
import { writtenParts } from './write-parts.ts'
import type { Fields } from '../../json/fields.ts'
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../log/message.ts'
import type { Calls, GeminiContent } from './read-parts.ts'
import type { Pair, Wire } from '../wire.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The usage of an answer; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const said = countOf(usage?.['candidatesTokenCount']) ?? 0
  return usageFrom({
    input: usage?.['promptTokenCount'],
    output: said + (countOf(usage?.['thoughtsTokenCount']) ?? 0),
    cacheRead: usage?.['cachedContentTokenCount'],
  })
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
  write: (messages, writing) =>
    writeJoined(messages, { notes, joins: joinsUser }, (message, joined, index) =>
      nativeOf(message, joined, { place: `contents[${index}]`, writing }),
    ),
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
  const all = fieldsIn(parts, `${place}.parts`, reading)
  const isUsual = role === 'user' || role === 'model'
  const noted = { rest: restOf(native, ['role', 'parts']), ...(!isUsual && { role: role ?? null }) }
  if (role !== 'model') {
    const result = (part: Fields) => responsePart(part, calls)
    return readUserParts(all, { result, other: userPart, notes }, noted)
  }
  const content = all.map((part) => modelPart(part, calls))
  return [{ role: 'assistant', content, ...notes.with(noted) }]
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
  const parts = joined ? together(own, partsIn(joined, at), notes.of(joined)) : own
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

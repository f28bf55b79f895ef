import { fieldsOf, countOf, type Fields, textOf } from '../../json/fields.ts'
import { fieldsIn, type Reading, type Writing } from '../reading.ts'
import { joinsUser, readUserParts, together, writeJoined } from '../joined.ts'
import { usageFrom } from '../usage.ts'
import {
  outputText,
  partsOf,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
  type FilePart,
  type ImagePart,
  type ReasoningPart,
  type ToolOutput,
  type ToolOutputPart,
} from '../../log/message.ts'
import {
  modelPart,
  responsePart,
  userPart,
  notes,
  type Calls,
  type GeminiContent,
} from './read-parts.ts'
import { messagesIn, oneByOne, wireOf, type Pair, type Wire } from '../wire.ts'
import { restOf } from '../note.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'
import { asMedium, mediumOf, textIn } from '../media.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed } from '../text-pieces.ts'
import { knownAgain } from '../unknown-part.ts'
import { isSame } from '../../match/same.ts'

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

/** A part as Gemini's API has it; none if nothing is written for it. */
function writtenParts(part: Part, place: string, writing: Writing): Fields[] {
  const noted = 'providerOptions' in part ? notes.of(part) : {}
  switch (part.type) {
    case 'text':
      return [{ text: part.text, ...fieldsOf(noted['rest']) }]
    case 'image':
    case 'file':
      return [knownAgain(part, notes) ?? writtenMedium(part, place, writing)]
    case 'tool-call':
      return [writtenCall(part)]
    case 'tool-result':
      return [writtenResponse(part, place, writing)]
    case 'reasoning':
      if (noted['form'] === 'thought') return [writtenThought(part)]
      break
    case 'custom': {
      const known = knownAgain(part, notes)
      if (known) return [known]
      break
    }
  }
  const problem =
    part.type === 'reasoning'
      ? 'Gemini takes no reasoning of another model'
      : `Gemini has no part for one of the type ${part.type}`
  const text = writing.instead({ place, problem })
  return text === undefined ? [] : [{ text }]
}

function writtenThought(part: ReasoningPart): Fields {
  return { text: part.text, thought: true, ...seal(part), ...fieldsOf(notes.of(part)['rest']) }
}

function seal({ providerOptions }: Pick<ReasoningPart, 'providerOptions'>): Fields {
  const signature = textOf(fieldsOf(providerOptions?.['google'])?.['thoughtSignature'])
  return signature === undefined ? {} : { thoughtSignature: signature }
}

function writtenCall(part: ToolCallPart): Fields {
  const { toolCallId: id, toolName: name, input: args } = part
  const { call, rest, nameless, form } = notes.of(part)
  const functionCall = {
    ...(nameless !== true && { id }),
    name,
    ...((form !== 'absent' || !isSame(args, {})) && { args: fieldsOf(args) ?? { input: args } }),
    ...fieldsOf(call),
  }
  return { functionCall, ...seal(part), ...fieldsOf(rest) }
}

function writtenResponse(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { toolCallId: id, toolName: name, output } = part
  const { given, rest, nameless, form } = notes.of(part)
  const inner = innerParts(output, place, writing)
  const response = responseOf(output)
  const functionResponse = {
    ...(nameless !== true && { id }),
    name,
    ...((form !== 'absent' || !isSame(response, {})) && { response }),
    ...(inner && { parts: inner }),
    ...fieldsOf(given),
  }
  return { functionResponse, ...fieldsOf(rest) }
}

function responseOf(output: ToolOutput): unknown {
  if (output.type === 'json') return fieldsOf(output.value) ?? { output: output.value }
  if (output.type === 'content') {
    const [first] = output.value
    const came = first && 'response' in notes.of(first) ? notes.of(first)['response'] : undefined
    if (came !== undefined && wordsOf(came) === first?.text) return came ?? {}
    const words = output.value.flatMap(({ text }) => text ?? [])
    return { [isFailed(output) ? 'error' : 'output']: words.join('\n') }
  }
  return { [isFailed(output) ? 'error' : 'output']: outputText(output) }
}

/** How the text of a response with media was made: whether it still says the same. */
function wordsOf(response: unknown): string {
  const fields = fieldsOf(response) ?? {}
  const [only, ...others] = Object.keys(fields)
  const text = others.length === 0 && only !== undefined ? textOf(fields[only]) : undefined
  const isText = text !== undefined && (only === 'output' || only === 'error')
  return isText ? text : JSON.stringify(response ?? {})
}

/** The media of an output; `undefined` if it has no place for any. */
function innerParts(output: ToolOutput, place: string, writing: Writing): Fields[] | undefined {
  if (output.type !== 'content') return undefined
  const media = output.value.filter((part) => part.type !== 'text')
  if (media.length === 0 && notes.of(output)['form'] !== 'parts') return undefined
  return media.map((part) => innerPart(part, place, writing))
}

function innerPart(part: ToolOutputPart, place: string, writing: Writing): Fields {
  return fieldsOf(notes.of(part)['part']) ?? writtenMedium(asMedium(part), place, writing)
}

function writtenMedium(part: ImagePart | FilePart, place: string, writing: Writing): Fields {
  const { source, inside, rest } = notes.of(part)
  const known = part.type === 'image' ? part.image : part.data
  if (typeof source === 'string' && typeof known === 'string') {
    const key = source === 'inlineData' ? 'data' : 'fileUri'
    const { mediaType } = part
    const fields = { [key]: known, ...(mediaType && { mimeType: mediaType }), ...fieldsOf(inside) }
    return { [source]: fields, ...fieldsOf(rest) }
  }
  const medium = mediumOf(part)
  if (typeof medium !== 'string' && medium.base64 !== undefined) {
    const words = textIn(medium)
    if (words !== undefined) return { text: `${attachmentText(medium)}\n${words}` }
    return { inlineData: { mimeType: medium.mediaType, data: medium.base64 } }
  }
  if (typeof medium !== 'string') {
    return { fileData: { mimeType: medium.mediaType, fileUri: medium.url } }
  }
  const problem = 'this medium lies with another provider'
  return { text: writing.instead({ place, problem, words: medium }) ?? medium }
}

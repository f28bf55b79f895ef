import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { messageText, outputText, partsOf, type Message, type Part } from '../../log/message.ts'
import {
  isForHost,
  isInternal,
  isOfHost,
  nativeText,
  openclawReader,
  personOf,
} from '../../formats/openclaw/reader.ts'
import { piBlock } from '../../formats/pi/writer.ts'
import { pieceOf, type Piece } from '../../formats/writing/message-rows.ts'
import { mediumOf } from '../../wires/media.ts'
import { unlabeled } from '../../log/speaker.ts'
import { recordOf } from '../../log/client-records.ts'
import type { Entry } from '../../log/entry.ts'
import type { EngineMessage } from '../../hosts/context-engine/additions.ts'
import type { HostForms } from '../../compaction/render/project.ts'

/** The host's messages by the keys under which the engine knows them. */
export interface ReadMessages {
  messages: EngineMessage[]
  natives: ReadonlyMap<string, Fields>
}

/**
 * Reads the host's messages. The host gives them no ids: each is known by its role, its time and its
 * call. Some of its calls write the same id with other signs. `log` is what was told before: the host
 * joins messages of one side between which the other said nothing.
 */
export function readMessages(natives: readonly Fields[], log: readonly Entry[] = []): ReadMessages {
  const byKey = new Map<string, Fields>()
  const known = toldIn(log)
  const messages = withoutIdleWakes(natives).flatMap((native) => {
    const key = freeKey(byKey, native)
    const { own, earlier, later } = apart(native, key, known)
    byKey.set(key, own)
    const drafts = draftsOf(own, key)
    if (earlier !== undefined) return [saidEarlier(earlier, `${key}<`, drafts), ...drafts]
    if (later === undefined) return drafts
    const next = freeKey(byKey, later)
    byKey.set(next, later)
    return [...drafts, ...draftsOf(later, next)]
  })
  return { messages, natives: byKey }
}

interface Told {
  /** What stands in the user's place, without the names of who said it, and the data of pictures. */
  said: ReadonlySet<string>
  /** What the agent said without a call, by its key. */
  answers: ReadonlyMap<string, string>
}

function toldIn(log: readonly Entry[]): Told {
  const said = new Set<string>()
  const answers = new Map<string, string>()
  for (const entry of log) {
    if (entry.kind !== 'message') continue
    const { message } = entry
    const text = messageText(message)
    for (const part of partsOf(message)) {
      if (message.role === 'user' && part.type === 'text') said.add(unlabeled(part.text))
      for (const piece of mediaIn(part)) said.add(dataOf(piece))
    }
    const isTold =
      message.role === 'assistant' && partsOf(message).every(({ type }) => type === 'text')
    if (isTold) answers.set(recordOf(entry) ?? '', text)
  }
  return { said, answers }
}

/** A message without what was said before it and stands in the log, or was for the host alone. */
function apart(
  native: Fields,
  key: string,
  { said, answers }: Told,
): { own: Fields; earlier?: string; later?: Fields } {
  const { role, content } = native
  const parts = Array.isArray(content) ? objectsOf(content) : []
  const answer = role === 'assistant' ? answers.get(key) : undefined
  const at = answer === undefined ? 0 : parts.findIndex(({ text }) => text === answer) + 1
  if (at > 0 && at < parts.length) {
    const rest = { ...native, content: parts.slice(at) }
    return { own: { ...native, content: parts.slice(0, at) }, later: rest }
  }
  const last = role === 'user' ? parts.findLastIndex(({ type }) => type === 'text') : -1
  if (!parts.slice(0, Math.max(last, 0)).some(({ type }) => type === 'text')) return { own: native }
  const isNew = ({ type, text, data }: Fields): boolean =>
    type !== 'text' ? !said.has(`${data}`) : !(isOfHost(textOf(text) ?? '') || said.has(`${text}`))
  const before = parts.slice(0, last).filter(isNew)
  // Whose words they are is not known any more: they are nobody's rules.
  const isNamed = before.length > 0 && personOf(native) !== undefined
  const own = { ...native, content: [...(isNamed ? [] : before), ...parts.slice(last)] }
  return isNamed ? { own, earlier: nativeText({ content: before }) } : { own }
}

function saidEarlier(text: string, key: string, [next]: readonly EngineMessage[]): EngineMessage {
  const message = { role: 'user', content: text } as const
  const metadata = { source: { records: [key] } }
  return { key, at: next?.at ?? 0, origin: 'harness', message, metadata }
}

/**
 * Heartbeats and jobs to which the agent had nothing to say are left out, and commands that the host
 * answered: they would fill a session that lives for months.
 */
function withoutIdleWakes(natives: readonly Fields[]): Fields[] {
  const isAsked = (native: Fields | undefined): boolean =>
    native?.['role'] === 'user' && (isInternal(native) || isForHost(native))
  return natives.filter((native, at) => {
    const next = natives[at + 1]
    if (isSilent(native)) return !isAsked(natives[at - 1])
    if (!isAsked(native)) return true
    // The host may have left out the answer alone.
    const isAlone = next === undefined || next['role'] === 'user'
    return !(next && isSilent(next)) && !(isAlone && isForHost(native))
  })
}

function isSilent(native: Fields): boolean {
  const calls = objectsOf(native['content']).some(({ type }) => type === 'toolCall')
  const isHosts = native['model'] === 'gateway-injected'
  return native['role'] === 'assistant' && !calls && (isHosts || silence.test(nativeText(native)))
}

function calledBy(messageId: string): Fields {
  return { __openclaw: { transport: { messageId } } }
}

const silence = /^[\s\p{P}]*(?:NO_REPLY|HEARTBEAT_OK)[\s\p{P}]*$/u

function freeKey(known: ReadonlyMap<string, Fields>, native: Fields): string {
  const { role, timestamp, toolCallId } = native
  // Channels tell the second alone, in which several people may write.
  const { messageId } = fieldsOf(fieldsOf(native['__openclaw'])?.['transport']) ?? {}
  const own = role === 'user' ? messageId : plainId(toolCallId)
  const name = `${String(role)}:${String(timestamp)}:${nameOf(own) ?? ''}`
  for (let count = 0; ; count++) {
    const key = count === 0 ? name : `${name}+${count}`
    if (!known.has(key)) return key
  }
}

function draftsOf(native: Fields, key: string): EngineMessage[] {
  const reader = openclawReader()
  const message = withPlainIds(native)
  const at = typeof native['timestamp'] === 'number' ? native['timestamp'] : 0
  const told = toldByHost(native)
  if (told) return [{ ...told, key, at, metadata: { source: { records: [key] } } }]
  const drafts = [...reader.push({ type: 'message', id: key, message }), ...reader.end()]
  return drafts.flatMap((draft, index): EngineMessage[] => {
    if (draft.kind !== 'message') return []
    // What the host counts is its own view, which is seldom what we gave it.
    const { kind: _, usage: __, ...rest } = draft
    return [{ ...rest, at, key: index === 0 ? key : `${key}/${index}` }]
  })
}

/** What the host's model has summarized before there was an engine, and what its plugins say. */
function toldByHost(
  native: Fields,
): Pick<EngineMessage, 'origin' | 'message' | 'isSummary'> | undefined {
  const { role, summary } = native
  if (role === 'compactionSummary' || role === 'branchSummary') {
    const message = { role: 'assistant', content: textOf(summary) ?? '' } as const
    return { origin: 'model', message, isSummary: role === 'compactionSummary' }
  }
  const text = role === 'custom' ? nativeText(native) : ''
  if (text === '' || text.startsWith(volatile)) return undefined
  return { origin: 'harness', message: { role: 'user', content: text } }
}

// It stands behind each request, in other words each time.
const volatile = '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>'

function plainId(id: unknown): string {
  return typeof id === 'string' ? id.replaceAll(/[^\da-z]/gi, '') : ''
}

function withPlainIds(native: Fields): Fields {
  if (native['role'] === 'toolResult') {
    return { ...native, toolCallId: plainId(native['toolCallId']) }
  }
  if (native['role'] !== 'assistant' || typeof native['content'] === 'string') return native
  const content = objectsOf(native['content']).map((part) =>
    part['type'] === 'toolCall' ? { ...part, id: plainId(part['id']) } : part,
  )
  return { ...native, content }
}

/** How the context is written in the host's messages; `own` takes what only we say. */
export function formsOf(
  natives: ReadonlyMap<string, Fields>,
  { own, timeOf }: { own: (text: string) => void; timeOf: (seq: number) => number },
): HostForms<Fields> {
  return {
    original: (item) => natives.get(recordOf(item) ?? ''),
    say(message, item) {
      const record = item.type === 'message' ? recordOf(item) : undefined
      if (record === undefined) own(messageText(message))
      if (record === undefined) return written(message, timeOf(item.seq))
      // What the host does not have any more is called as it was.
      const [role, time, messageId] = record.split(':')
      const native = written(message, Number(time))
      return role === 'user' && messageId ? { ...native, ...calledBy(messageId) } : native
    },
    replace: (native, shown) => {
      const [first, ...rest] = shown.map(({ message }) => written(message, 0))
      const content = [first, ...rest].flatMap((each) => objectsOf(each?.['content']))
      return { ...native, content }
    },
  }
}

const nothingUsed = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

function written(message: Message, timestamp: number): Fields {
  const parts = partsOf(message)
  if (message.role === 'tool') {
    const result = parts.find(({ type }) => type === 'tool-result')
    if (result?.type === 'tool-result') {
      const { toolCallId, toolName, output } = result
      const content = withMedia(outputText(output), parts)
      const isError = output.type.startsWith('error')
      return { role: 'toolResult', toolCallId, toolName, content, isError, timestamp }
    }
  }
  if (message.role !== 'assistant') {
    return { role: 'user', content: withMedia(messageText(message), parts), timestamp }
  }
  const content = parts.flatMap((part): Fields[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'tool-call') return []
    const { toolCallId: id, toolName: name, input } = part
    return [{ type: 'toolCall', id, name, arguments: fieldsOf(input) ?? {} }]
  })
  const stopReason = content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop'
  const from = { api: 'openai-completions', provider: 'throughline', model: 'throughline' }
  return { role: 'assistant', content, ...from, usage: nothingUsed, stopReason, timestamp }
}

/** Words, and behind them the pictures; a file of another kind is named. */
function withMedia(text: string, parts: readonly Part[]): Fields[] {
  const media = parts.flatMap(mediaIn).map((piece) => piBlock(piece))
  return text.trim() === '' && media.length > 0 ? media : [{ type: 'text', text }, ...media]
}

function dataOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : (piece.base64 ?? piece.url)
}

function mediaIn(part: Part): Piece[] {
  if (part.type !== 'tool-result') return part.type === 'text' ? [] : pieceOf(part)
  const { output } = part
  const given = output.type === 'content' ? output.value : []
  return given.flatMap((each) => (each.type === 'text' ? [] : [mediumOf(each)]))
}

/** Results are called as their calls are, where the host has written one of both another way. */
export function withSameIds(messages: readonly Fields[]): Fields[] {
  const ids = new Map<string, string>()
  return messages.map((message) => {
    for (const part of message['role'] === 'assistant' ? objectsOf(message['content']) : []) {
      const id = nameOf(part['id'])
      if (id !== undefined) ids.set(plainId(id), id)
    }
    const { toolCallId } = message
    const id = message['role'] === 'toolResult' ? ids.get(plainId(toolCallId)) : undefined
    return id === undefined || id === toolCallId ? message : { ...message, toolCallId: id }
  })
}

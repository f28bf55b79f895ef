import { continuationMark } from '../../compaction/render/continuation-mark.ts'
import { renderContext } from '../../compaction/render/render.ts'
import { abortedResult } from '../../log/open-calls.ts'
import { summaryAsUser, type SummaryRole } from '../../compaction/render/summary-block.ts'
import { contextOf } from '../../log/context/context.ts'
import { entryAt, modelOrder, type Chronological } from '../../log/order.ts'
import { withFreshCallIds } from './call-ids.ts'
import { type Entry, type Seq, type Source } from '../../log/entry.ts'
import { labeled, speakerOf, type Speaker } from '../../log/speaker.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import {
  type Message,
  partsOf,
  type Part,
  type ToolResultPart,
  type AssistantPart,
  messageText,
  outputText,
} from '../../log/message.ts'
import type { SessionFacts } from '../format.ts'
import type { WrittenMessage, WrittenSession } from './format-writer.ts'
import { travelingContext, withSourcesNamed } from '../../compaction/render/travel.ts'
import { wellFormed } from '../../json/well-formed.ts'
import { sanitizeLine } from '../../log/sanitize.ts'

/**
 * What a harness is to go on from, of a log: its context now. Nothing that is bound to the
 * provider of its time comes along, for another one may answer next. Its refs name `source`, the
 * log that they read back from; without one there are none, for they would point into another log.
 */
export function writtenSession(
  log: Chronological,
  facts: SessionFacts,
  source?: Source,
): WrittenSession {
  const traveling = travelingContext(contextOf(log).items, log, source)
  const { summary, messages } = sessionOf(withSourcesNamed(traveling), log, summaryAsUser)
  const title = titleFor(log, facts)
  if (summary !== undefined) return { summary, messages, title, facts }
  return { messages: [...sourceNote(traveling.lines, messages), ...messages], title, facts }
}

/**
 * The context of a log for the session that it was read from, in which its refs hold. A session in
 * another place begins with a {@link writtenSession}.
 */
export function continuedSession(
  log: Chronological,
  summaryRole: SummaryRole,
): Pick<WrittenSession, 'summary' | 'messages'> {
  return sessionOf(contextOf(log).items, log, summaryRole)
}

function sessionOf(
  context: readonly ContextItem[],
  log: Chronological,
  summaryRole: SummaryRole,
): Pick<WrittenSession, 'summary' | 'messages'> {
  const items = context.map(unbound)
  const { messages, seqs } = renderContext(modelOrder(items), summaryRole)
  const all = messages.map((message, index) => written(message, seqs[index] ?? 0, log))
  const [block] = all
  const summary = items[0]?.type === 'summary' ? block?.message.content : undefined
  const behind = typeof summary === 'string' ? all.slice(1) : all
  const closed = withFreshCallIds(withLegalToolNames(withEveryResult(withPlainParts(behind))))
  return wellFormed({ ...(typeof summary === 'string' && { summary }), messages: closed })
}

// With the mark, what the lists of clients show of a title where a terminal has 80 columns.
const longestTitle = 48
const compactedMark = ' · compacted'

/**
 * The title of the original, or its first words, and that it was compacted: a picker would show the
 * first message that was kept, which may be "yes please".
 */
function titleFor(log: Chronological, { title }: SessionFacts): string {
  const asked = log.find(
    (entry) =>
      entry.kind === 'message' && entry.origin === 'human' && messageText(entry.message).trim(),
  )
  const words = title ?? (asked?.kind === 'message' ? messageText(asked.message) : '')
  const line = words.replace(/\s+/g, ' ').trim()
  const original = line.endsWith(compactedMark) ? line.slice(0, -compactedMark.length) : line
  return sanitizeLine(original === '' ? 'Session' : shortened(original)) + compactedMark
}

/**
 * The title for a list that shows fewer characters than others: what stands before the mark becomes
 * shorter, so that the mark is seen.
 * @example
 * titleWithin('Find out why the parser is slow · compacted', 33) // 'Find out why the… · compacted'
 */
export function titleWithin(title: string, most: number): string {
  if (title.length <= most || !title.endsWith(compactedMark)) return title
  const original = title.slice(0, -compactedMark.length).replace(/…$/, '')
  return shortened(original, most - compactedMark.length) + compactedMark
}

/** Its first words, as many as a list shows. */
function shortened(title: string, most = longestTitle): string {
  if (title.length <= most) return title.toWellFormed()
  const border = title.lastIndexOf(' ', most - 1)
  // A path or a script without spaces has no such border.
  const end = border > most / 2 ? border : most - 1
  const short = title.slice(0, end).replace(/[\s,;:.–—-]+$/, '')
  return `${short.toWellFormed().replace(/\uFFFD$/, '')}…`
}

/** Names the sources where no summary does. */
function sourceNote(
  lines: readonly string[],
  messages: readonly WrittenMessage[],
): WrittenMessage[] {
  if (lines.length === 0) return []
  const at = messages[0]?.at ?? 0
  return [{ message: { role: 'user', content: lines.join('\n') }, origin: 'harness', at }]
}

function unbound(item: ContextItem): ContextItem {
  return item.type === 'message' ? { ...item, kept: 'bare' } : item
}

function written(message: Message, seq: Seq, log: Chronological): WrittenMessage {
  const entry = entryAt(log, seq)
  const at = entry?.at ?? 0
  const continuation = entry?.kind === 'checkpoint' ? entry.continuation : null
  if (continuation && continuationMark(message)) {
    // What was not answered yet is said again: it is still the human who says it.
    return { message, origin: continuation.kind === 'mid-task' ? 'synthetic' : 'human', seq, at }
  }
  // What stands there without having been said, such as what tells of an omission, nobody said.
  if (entry?.kind !== 'message' || isStandIn(message, entry))
    return { message, origin: 'harness', seq, at }
  const { origin, model, finish } = entry
  return {
    message,
    origin,
    seq,
    at,
    ...(model !== undefined && { model }),
    ...(finish !== undefined && { finish }),
  }
}

/** A late result is read as a text of the user. */
function isStandIn(message: Message, entry: Entry): boolean {
  return entry.kind === 'message' && entry.message.role !== message.role
}

/**
 * The messages with tool names that every provider accepts: letters, digits, `_` and `-`, at most
 * 64 characters, no digit first. Nearly all tools have such names already.
 */
function withLegalToolNames(messages: readonly WrittenMessage[]): WrittenMessage[] {
  return messages.map((written) => {
    if (typeof written.message.content === 'string') return written
    const content = partsOf(written.message).map(renamed)
    return { ...written, message: { ...written.message, content } as Message }
  })
}

function renamed(part: Part): Part {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  return { ...part, toolName: legalName(part.toolName) }
}

const longest = 64

function legalName(name: string): string {
  const letters = name.replace(/[^A-Za-z0-9_-]/g, '_')
  return (/^[A-Za-z_]/.test(letters) ? letters : `_${letters}`).slice(0, longest)
}

/**
 * The messages with the results of each step in one message after it, in the order of its calls.
 * The calls of the last step also get results: a client that resumes a file starts fresh, and
 * nobody answers them anymore.
 */
function withEveryResult(messages: readonly WrittenMessage[]): WrittenMessage[] {
  const whole: WrittenMessage[] = []
  let step: WrittenMessage | undefined
  let given: WrittenMessage[] = []
  const close = (): void => {
    whole.push(...resultsOf(step, given))
    given = []
  }
  for (const written of messages) {
    if (written.message.role === 'tool') {
      given.push(written)
      continue
    }
    close()
    whole.push(written)
    step = written
  }
  close()
  return whole
}

function resultsOf(
  step: WrittenMessage | undefined,
  given: readonly WrittenMessage[],
): WrittenMessage[] {
  const results = new Map<string, ToolResultPart>()
  for (const part of step ? partsOf(step.message) : []) {
    if (part.type !== 'tool-call') continue
    const { toolCallId, toolName } = part
    const output = { type: 'error-text' as const, value: abortedResult }
    results.set(toolCallId, { type: 'tool-result', toolCallId, toolName, output })
  }
  for (const part of given.flatMap(({ message }) => partsOf(message))) {
    if (part.type === 'tool-result') results.set(part.toolCallId, part)
  }
  if (results.size === 0) return []
  const { origin, at, seq } = given.at(-1) ?? { origin: 'synthetic', at: step?.at ?? 0 }
  const message = { role: 'tool' as const, content: [...results.values()] }
  return [{ message, origin, ...(seq !== undefined && { seq }), at }]
}

/**
 * The messages in parts that every harness can represent: texts, images and files of the user,
 * calls and their results. What a provider ran itself is described in words, content that only its
 * maker can read is left out, and a message of which nothing remains is removed.
 */
function withPlainParts(messages: readonly WrittenMessage[]): WrittenMessage[] {
  return messages.flatMap((written) => {
    const message = plainMessage(written.message)
    return message === undefined ? [] : [{ ...written, message }]
  })
}

function plainMessage(message: Message): Message | undefined {
  const plain = { role: message.role, content: contentOf(message) } as Message
  return plain.content.length === 0 ? undefined : withName(plain, speakerOf({ message }))
}

/** Most formats have no field for who of several people speaks: the name stands before the words. */
function withName(message: Message, speaker: Speaker | undefined): Message {
  if (!speaker || message.role !== 'user') return message
  const { content } = message
  if (typeof content === 'string') return { ...message, content: labeled(content, speaker) }
  const first = content.find(({ type }) => type === 'text')
  const named = content.map((part) =>
    part === first && part.type === 'text' ? { ...part, text: labeled(part.text, speaker) } : part,
  )
  return { ...message, content: named }
}

function contentOf(message: Message): Message['content'] {
  if (typeof message.content === 'string') return says(message.content) ? message.content : ''
  if (message.role === 'assistant') return message.content.flatMap(assistantPart)
  if (message.role === 'tool') {
    return message.content.filter((part) => part.type === 'tool-result').map(withoutOptions)
  }
  return partsOf(message).filter((part) => part.type !== 'text' || says(part.text)) as never
}

function assistantPart(part: AssistantPart): AssistantPart[] {
  switch (part.type) {
    case 'text':
      return says(part.text) ? [{ type: 'text', text: part.text }] : []
    case 'tool-call':
      if (!part.providerExecuted) return [{ ...withoutOptions(part), input: fields(part.input) }]
      return told(`The provider ran ${part.toolName} with ${json(part.input)}.`)
    case 'tool-result': {
      const answer = outputText(part.output)
      return says(answer) ? told(`The provider's ${part.toolName} answered: ${answer}`) : []
    }
    case 'file':
      return told(`The model created a file: ${part.filename ?? ''} (${part.mediaType}).`)
    default:
      return []
  }
}

/** Providers reject a text of only white space. */
function says(text: string): boolean {
  return text.trim() !== ''
}

/** Providers only accept an object as the input of a call. */
function fields(input: unknown): object {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }
}

function told(text: string): AssistantPart[] {
  return [{ type: 'text', text: `[${text}]` }]
}

/** What a provider wants back with a part means nothing to another one. */
function withoutOptions<Any extends { providerOptions?: unknown }>(part: Any): Any {
  const { providerOptions, ...plain } = part
  return (providerOptions === undefined ? part : plain) as Any
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

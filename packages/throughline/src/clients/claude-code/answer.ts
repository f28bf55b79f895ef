import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { keyOf } from '../../formats/claude-code/replaced.ts'
import { fieldsOf, nameOf } from '../../json/fields.ts'
import { compactLog } from '../../session/once/compact-log.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { messageText, outputText, partsOf } from '../../log/message.ts'
import { renderContext } from '../../compaction/render/render.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { instructionsFor } from '../hooks/before-compaction.ts'
import { clientSession } from '../hooks/client-session.ts'
import { agentsPin } from '../../session/agent/pin-tool.ts'
import { chronological } from '../../log/order.ts'
import { didShrink, sizesAround } from '../shrunk.ts'
import { recallTool, takes } from './question.ts'
import type { ClientSession } from '../hooks/client-session.ts'
import type { Chronological } from '../../log/order.ts'
import type { Asked } from '../asked.ts'
import type { Entry } from '../../log/entry.ts'
import type { Around } from '../shrunk.ts'
import type { ContextItem, MessageItem } from '../../log/context/context-item.ts'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'
import type { CompactQuestion, KeptContext, KeptMessage, ModuleAnswer } from './question.ts'

/** Where each section of Claude Code's summaries belongs in ours. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^primary request/i, 'Goal'],
  [/^all user messages/i, 'Instructions'],
  [/^(?:key technical|errors|problem solving)/i, 'Discoveries'],
  [/^(?:pending|current work|optional next|next step)/i, 'Accomplished'],
  [/^files/i, 'Relevant files'],
]

/**
 * A summary in Claude Code's own nine numbered sections, under our headings; any other text as it
 * is. The words stay.
 * @example
 * inOurSections('1. Primary Request and Intent:\n   Fix it.') // '## Goal\nFix it.'
 */
export function inOurSections(summary: string): string {
  const parts = summary.split(/^(?=\d\. [^\n:]{3,40}:)/m)
  const found = new Map<string, string[]>()
  for (const part of parts) {
    const [, title = '', body = ''] = /^\d\. ([^\n:]{3,40}):\s*([^]*)$/.exec(part) ?? []
    const [, heading] = places.find(([known]) => known.test(title)) ?? []
    if (heading === undefined) {
      if (part.trim() !== '') return summary
      continue
    }
    const text = body.trimEnd().replace(/^ {3}/gm, '')
    if (text !== '') found.set(heading, [...(found.get(heading) ?? []), `${title}: ${text}`])
  }
  if (found.size === 0) return summary
  const order = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
  return order
    .flatMap((heading) => {
      const texts = found.get(heading)
      if (!texts) return []
      const body = heading === 'Goal' ? texts.map(withoutTitle) : texts
      return [`## ${heading}\n${body.join('\n')}`]
    })
    .join('\n\n')
}

function withoutTitle(text: string): string {
  return text.replace(/^[^:]*: /, '')
}

const policy = { ...defaultPolicy, recallTool }

/** What the client's model is told before it writes a summary. */
export async function instructionsAnswer(
  file: string,
  directory: string,
  local: boolean,
): Promise<ModuleAnswer> {
  if (local) return { instructions: '', local }
  const session = await clientSession(file)
  const frame = { directory, recallTool, takes: takes.before }
  return { instructions: await instructionsFor(session, frame), local }
}

/** What was made of a compaction. */
export interface Compacted {
  answer: KeptContext
  by: 'client-model' | 'local'
}

/**
 * The context that takes the place of the client's: its own messages by their ids, and what is ours
 * in words. `undefined` where the client's messages and its file don't agree, or nothing would go.
 * @throws ContextFloorError if not even the least context fits the window.
 */
export async function compactAnswer(
  file: string,
  question: CompactQuestion,
  asked: (since: number | undefined) => Asked = () => ({ pins: [] }),
): Promise<Compacted | { aside: string }> {
  const twins = await twinsIn(file)
  const session = await sessionWith(file, question.handles, twins)
  if (!session) return { aside: 'the file of the session does not hold what the client compacts' }
  const { window, directory, summary } = question
  const wished = asked(session.log.findLast(({ kind }) => kind === 'checkpoint')?.at)
  const focus = [question.focus, wished.focus].filter((each) => each).join('\n')
  const done = await compactLog(withPins(session.log, wished), {
    window: { context: window },
    trigger: 'manual',
    policy,
    directories: [session.facts.directory ?? directory],
    ...(session.facts.model !== undefined && { model: session.facts.model }),
    ...(focus !== '' && { focus }),
    ...(summary !== undefined && { summarizer: alreadyWritten(inOurSections(summary)) }),
  })
  const { report, context } = done
  if (report.action === 'none' || report.after > report.before * mostLeft) {
    return { aside: 'nothing would be gained' }
  }
  const known = new Set(question.handles)
  const kept = context.items.flatMap((item) => keptOf(item, { known, twins }))
  const by = report.summarizer === modelName ? 'client-model' : 'local'
  return { answer: { kept, before: report.before, after: report.after }, by }
}

/** What the agent wants to keep is no part of the client's file. */
function withPins(log: Chronological, { pins, keep }: Asked): Chronological {
  const at = log.at(-1)?.at ?? 0
  const all = [...pins, ...(keep === undefined ? [] : [keep])]
  const entries = all.map((text, index): Entry => ({
    kind: 'pin',
    seq: log.length + 1 + index,
    at,
    text: agentsPin + text,
  }))
  return chronological([...log, ...entries])
}

/**
 * Whether each of the newest compactions shrank what is sent by half of what was planned, as far as
 * the client's file says what the provider counted.
 */
export async function shrankIn(file: string, planned: readonly Around[]): Promise<boolean[]> {
  const counted = sizesAround((await clientSession(file)).log)
  const both = Math.min(counted.length, planned.length)
  const plans = planned.slice(planned.length - both)
  return counted.slice(counted.length - both).map((around, index) => {
    const plan = plans[index]
    return plan === undefined || didShrink(around, plan)
  })
}

const modelName = 'claude-code'

// A client that resumes a session may count what was compacted before.
const mostLeft = 0.9

const tries = 5
const pause = 100

/** The client writes its file a moment after it has shown a message. */
async function sessionWith(
  file: string,
  handles: readonly string[],
  twins: Twins,
): Promise<ClientSession | undefined> {
  for (let attempt = 1; ; attempt++) {
    const session = await clientSession(file)
    const written = new Set(
      session.log.flatMap((entry) => recordsOf(entry)).flatMap((id) => twins.of(id)),
    )
    const known = handles.filter((handle) => written.has(handle))
    // The rest are reminders and echoes of commands, which no entry has.
    if (known.length > 0 && known.length >= handles.length * leastKnown) return session
    if (attempt === tries) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

const leastKnown = 0.5

/** Records that say the same: an original, and the copies that a compaction of ours made of it. */
interface Twins {
  of: (id: string) => readonly string[]
}

async function twinsIn(file: string): Promise<Twins> {
  const byKey = new Map<string, string[]>()
  const keys = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const record = fieldsOf(parsed(line))
    const id = nameOf(record?.['uuid'])
    const key = record && keyOf(record)
    if (id === undefined || key === undefined) continue
    keys.set(id, key)
    const same = byKey.get(key)
    if (same) same.push(id)
    else byKey.set(key, [id])
  }
  return { of: (id) => byKey.get(keys.get(id) ?? '') ?? [id] }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** A summarizer that has been asked already. */
function alreadyWritten(text: string): Summarizer {
  return {
    name: modelName,
    summarize: async ({ attempt }) => {
      if (attempt > 1) throw new Error('the client’s model is asked once')
      return { text, finish: 'stop', calls: [] }
    },
  }
}

/** The messages that the client has now, and which of its records say the same. */
interface Present {
  known: ReadonlySet<string>
  twins: Twins
}

function keptOf(item: ContextItem, { known, twins }: Present): KeptMessage[] {
  const present = (id: string): string | undefined =>
    twins.of(id).findLast((each) => known.has(each))
  const records = item.type === 'message' ? recordsOf(item).flatMap((id) => present(id) ?? []) : []
  if (item.type !== 'message' || records.length === 0) return said(item)
  if (!item.replacements) return records.map((handle) => ({ handle }))
  return replaced(item, records)
}

/** What has no message of the client's own behind it. */
function said(item: ContextItem): KeptMessage[] {
  const { messages } = renderContext([item] as never, summaryRoleOf(policy))
  return messages.flatMap((message) => {
    const text = message.role === 'user' ? messageText(message) : ''
    return text === '' ? [] : [{ say: text }]
  })
}

function replaced({ message }: MessageItem, records: readonly string[]): KeptMessage[] {
  if (message.role === 'user') {
    const [handle = '', ...others] = records
    return [{ handle, text: messageText(message) }, ...others.map((each) => ({ handle: each }))]
  }
  const results: Record<string, string> = {}
  const inputs: Record<string, unknown> = {}
  for (const part of partsOf(message)) {
    if (part.type === 'tool-result') results[part.toolCallId] = outputText(part.output)
    if (part.type === 'tool-call') inputs[part.toolCallId] = part.input
  }
  return records.map((handle) => ({ handle, results, inputs }))
}

/** The ids of the client's records that an entry was read from. */
function recordsOf(entry: object): readonly string[] {
  const { metadata } = entry as { metadata?: { source?: { records?: unknown } } }
  const records = metadata?.source?.records
  return Array.isArray(records) ? records.filter((id) => typeof id === 'string') : []
}

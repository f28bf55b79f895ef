import { readFile } from 'node:fs/promises'
import { coreHeadings, type CoreSection } from '../../facts/summary/sections/core-sections.ts'
import { continuedSession } from '../../formats/writing/written-session.ts'
import { inHarnessElement } from '../../facts/human/client-forms.ts'
import { markedContinue, ownOrigin } from '../../ledger/own-words.ts'
import { noteWritten } from '../../formats/writing/note-written.ts'
import { isFailed } from '../../wires/text-pieces.ts'
import { mediumOf, wordsFor } from '../../wires/media.ts'
import { compactAs } from '../../session/once/compact-log.ts'
import { defaultPolicy, type Policy } from '../../compaction/policy.ts'
import { outputText, partsOf } from '../../log/message.ts'
import { summaryRoleOf } from '../../compaction/render/summary-block.ts'
import { instructionsFor } from '../hooks/before-compaction.ts'
import { factsIn, growingSession } from '../hooks/client-session.ts'
import { compactedLine, keptIn } from '../compacted-line.ts'
import type { Kept } from '../record.ts'
import { agentsPin } from '../../session/agent/pin-tool.ts'
import { chronological } from '../../log/order.ts'
import {
  besideMessages,
  countedNow,
  didShrink,
  mostOfWay,
  sizesAround,
  wayToNext,
} from '../shrunk.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { estimatedTokens, modelTokens, toModel } from '../../tokens/units.ts'
import { recallTool, takes } from './question.ts'
import type { ClientSession, GrowingSession } from '../hooks/client-session.ts'
import type { Chronological } from '../../log/order.ts'
import type { Asked } from '../asked.ts'
import type { CompactLogOptions } from '../../session/once/compact-log.ts'
import type { PlanInput } from '../../compaction/plan/plan.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Entry } from '../../log/entry.ts'
import type { Around } from '../shrunk.ts'
import type { Message, ToolMessage } from '../../log/message.ts'
import type { WrittenMessage } from '../../formats/writing/format-writer.ts'
import type { Summarizer } from '../../compaction/summary/with-model/summarizer.ts'
import type { CompactQuestion, KeptContext, KeptMessage, WrittenByModel } from './question.ts'

/** Where each section of Claude Code's summaries belongs in ours. */
const places: readonly (readonly [RegExp, CoreSection])[] = [
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
  return coreHeadings
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

/** What was made of a compaction. */
interface Compacted {
  answer: KeptContext
  by: 'client-model' | 'local'
  kept: Kept
}

/** A compaction whose session has been read. */
export interface OpenCompaction {
  /** What the client's model is told before it writes a summary. */
  instructions: () => string
  /** The context that takes the place of the client's; it is not made where nothing would go. */
  made: (
    own: WrittenByModel | undefined,
    noting?: { ledger: Ledger | undefined; now: number },
  ) => Promise<Compacted | { aside: string }>
}

/**
 * Reads the facts of a session once, for what its model is told and for what is made of its answer.
 * @param wished what the agent has asked for since the last compaction
 */
export function openCompaction(
  session: ClientSession,
  question: Pick<CompactQuestion, 'window' | 'directory' | 'focus'>,
  wished: Asked = { pins: [] },
): OpenCompaction {
  const { window } = question
  const directory = session.facts.directory ?? question.directory
  const log = withPins(session.log, wished)
  const facts = factsIn(log, directory, session.known)
  const focus = [question.focus, wished.focus].filter((each) => each).join('\n')
  return {
    instructions: () =>
      instructionsFor(session, { directory, recallTool, takes: takes.before, known: facts }),
    async made(own, noting) {
      const options: CompactLogOptions = {
        window: { context: window },
        trigger: 'manual',
        policy,
        directories: [directory],
        ...(session.facts.model !== undefined && { model: session.facts.model }),
        ...(focus !== '' && { focus }),
        ...(own && { summarizer: writtenByClient(own) }),
      }
      const { report, log: compacted } = await compactAs(log, options, (input) => ({
        ...input,
        facts: () => facts,
        policy: own?.summary === undefined ? input.policy : besideClients(own, input),
      }))
      if (report.action === 'none' || report.after > report.before * mostLeft) {
        return { aside: 'nothing would be gained' }
      }
      const beside = besideMessages(session.log)
      const before = Math.round(countedNow(session.log) ?? report.before + beside)
      const after = Math.round(report.after + beside)
      const { summary: block, messages } = continuedSession(compacted, summaryRoleOf(policy))
      const placed = messages.map(marked)
      if (noting?.ledger) {
        noteWritten(
          noting.ledger,
          { messages: placed, ...(block !== undefined && { summary: block }) },
          { log: compacted, now: noting.now, before, after },
        )
      }
      const kept = placed.map(({ message }) => keptOf(message))
      const by = report.summarizer === modelName ? 'client-model' : 'local'
      const counted = keptIn(facts)
      const line = compactedLine({
        before: modelTokens(before),
        after: modelTokens(after),
        kept: counted,
        ...(by === 'local' && { reason: own?.noSummary }),
      })
      const all = block === undefined ? kept : [saidByUser(block), ...kept]
      return { answer: { kept: all, before, after, line }, by, kept: counted }
    },
  }
}

/**
 * The policy that keeps hardly more than the client itself would have left, so that the next
 * compaction comes hardly sooner, and of the newest steps as much as the client.
 */
function besideClients(
  { summary = '', tail = '' }: WrittenByModel,
  { log, counter, policy }: PlanInput,
): Policy {
  const inTokens = (tokens: number): number =>
    toModel(estimatedTokens(Math.round(tokens)), counter.ratio)
  const theirTail = estimateTokens(tail)
  const theirs = estimateTokens(summary) + theirTail
  const most = inTokens(theirs + wayToNext(log, theirs) * mostOfWay)
  const longest = inTokens(theirTail * besideWords)
  return {
    ...policy,
    keep: (usable) => Math.min(policy.keep(usable), most),
    tail: (usable, keep) => Math.max(policy.tail(usable, keep), Math.min(longest, keep / 2)),
  }
}

// Our tail also holds the words of the human, which the client leaves out.
const besideWords = 1.25

/**
 * A message as it can be told from the human's when the client's file is read again: Claude Code
 * writes what a module gives it as plain messages of the user.
 */
function marked(written: WrittenMessage): WrittenMessage {
  const { message, origin } = written
  if (message.role !== 'user') return written
  const text = textOf(message)
  if (origin === 'human') return { ...written, message: { role: 'user', content: text } }
  if (origin === 'synthetic')
    return { ...written, message: { role: 'user', content: markedContinue } }
  const content = ownOrigin(text) === undefined ? inHarnessElement(text) : text
  return { ...written, message: { role: 'user', content } }
}

function keptOf(message: Message): KeptMessage {
  if (message.role === 'tool') return { ...saidByUser(''), toolResults: resultsIn(message) }
  const toolUses = partsOf(message).flatMap((part) =>
    part.type === 'tool-call'
      ? [{ tool_use_id: part.toolCallId, tool: part.toolName, input: part.input }]
      : [],
  )
  const role = message.role === 'assistant' ? 'assistant' : 'user'
  return { role, text: textOf(message), toolUses }
}

function saidByUser(text: string): KeptMessage {
  return { role: 'user', text, toolUses: [] }
}

/** A hooks module can hand on words only: what else a message holds is named. */
function textOf(message: Message): string {
  return partsOf(message)
    .flatMap((part): string[] => {
      if (part.type === 'text') return [part.text]
      return part.type === 'image' || part.type === 'file' ? [wordsFor(mediumOf(part))] : []
    })
    .join('\n\n')
}

function resultsIn(message: ToolMessage): NonNullable<KeptMessage['toolResults']> {
  return message.content.flatMap((part) =>
    part.type === 'tool-result'
      ? [
          {
            tool_use_id: part.toolCallId,
            text: outputText(part.output),
            isError: isFailed(part.output),
          },
        ]
      : [],
  )
}

/** What is pinned is no part of the client's file. */
function withPins(log: Chronological, { pins, keep }: Asked): Chronological {
  const at = log.at(-1)?.at ?? 0
  const all = [...pins, ...(keep === undefined ? [] : [agentsPin + keep])]
  const entries = all.map((text, index): Entry => ({
    kind: 'pin',
    seq: log.length + 1 + index,
    at,
    text,
  }))
  return chronological([...log, ...entries])
}

/**
 * Whether each of the newest compactions shrank what is sent by half of what was planned, as far as
 * the client's file says what the provider counted.
 */
export function shrankIn(log: Chronological, planned: readonly Around[]): boolean[] {
  const counted = sizesAround(log)
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

/**
 * The session that holds these messages, which the client writes a moment after it has shown them;
 * `undefined` where its file does not hold what the client compacts.
 */
export async function sessionWith(
  file: string,
  { handles, directory }: Pick<CompactQuestion, 'handles' | 'directory'>,
  session: GrowingSession = growingSession(file, undefined),
): Promise<ClientSession | undefined> {
  for (let attempt = 1; ; attempt++) {
    const text = await readFile(file, 'latin1')
    const written = new Set([...text.matchAll(/"uuid":"([^"]{1,64})"/g)].map(([, uuid]) => uuid))
    const known = handles.filter((handle) => written.has(handle))
    // The rest are reminders and echoes of commands, which no record has.
    const isThere = known.length > 0 && known.length >= handles.length * leastKnown
    // The newest may be one of them, or not be written yet: without it, words would be lost.
    const isWhole = written.has(handles.at(-1))
    if (isThere && (isWhole || attempt === tries)) return session.end(directory)
    if (attempt === tries) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

const leastKnown = 0.5

/** What the client's model wrote was asked for by the client itself, once. */
function writtenByClient({ summary, noSummary = 'it wrote none' }: WrittenByModel): Summarizer {
  return {
    name: modelName,
    summarize: async ({ attempt }) => {
      if (attempt > 1) throw new Error('the client’s model is asked once')
      if (summary === undefined) throw new Error(noSummary)
      return { text: inOurSections(summary), finish: 'stop', calls: [] }
    },
  }
}

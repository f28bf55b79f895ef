import { countOf, fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { entryAt } from '../../log/order.ts'
import { messageText, outputText, partText, partsOf, type Message } from '../../log/message.ts'
import { recognizeOwn } from '../../ledger/recognize-own.ts'
import { pi } from '../../formats/pi/format.ts'
import { project } from '../../compaction/render/project.ts'
import { recordsOf } from '../../hosts/hosted-session.ts'
import { summaryBlock, withRecallNote } from '../../compaction/render/summary-block.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'
import type { MessageItem } from '../../log/context/context-item.ts'
import type { PiEntry } from './api.ts'
import type { Session } from '../../session/session.ts'

/**
 * Reads what the entries of a branch are in a log. pi gives the whole branch at each step: as long as
 * it only grows, what was read before is not read again.
 */
export function branchReader(
  { id, cwd }: { id: string; cwd: string },
  ledger: Ledger | undefined,
): (branch: readonly PiEntry[]) => EntryDraft[] {
  const header = { type: 'session', version: 3, id, cwd, timestamp: new Date(0).toISOString() }
  const begin = () => {
    const reader = pi.reader(ledger)
    const known = recognizeOwn(ledger)
    const drafts = reader.push(header).map(known)
    return { reader, known, drafts, read: [] as PiEntry[] }
  }
  let own = begin()
  return (branch) => {
    if (own.read.some((entry, index) => entry !== branch[index])) own = begin()
    const { reader, known, drafts, read } = own
    for (const entry of branch.slice(read.length)) {
      drafts.push(...reader.push(entry).map(known))
      read.push(entry)
    }
    if (!awaitsResults(branch)) return [...drafts]
    // A reader that was ended takes no more results into the message of the first.
    own = begin()
    return [...drafts, ...reader.end().map(known)]
  }
}

/** Whether a call of the newest answer has no result yet. */
function awaitsResults(branch: readonly PiEntry[]): boolean {
  const messageOf = (entry: PiEntry | undefined): Fields => fieldsOf(entry?.['message']) ?? {}
  const newest = branch.findLastIndex((entry) => messageOf(entry)['role'] === 'assistant')
  const answered = new Set(branch.slice(newest + 1).map((entry) => messageOf(entry)['toolCallId']))
  return objectsOf(messageOf(branch[newest])['content']).some(
    ({ type, id }) => type === 'toolCall' && !answered.has(id),
  )
}

/** What the provider said when it refused the newest request. */
export function newestError(entries: readonly PiEntry[]): string | undefined {
  const newest = entries.findLast(({ type }) => type === 'message')
  return nameOf(fieldsOf(newest?.['message'])?.['errorMessage'])
}

/** The name by which a compaction of pi's is known as one of ours. */
interface OwnMark {
  seq: number
  at: number
}

/** The ids of the compactions that our log has as well, also those of an earlier process. */
export async function ownCompactions(
  stored: () => Promise<readonly Entry[]>,
  entries: readonly PiEntry[],
): Promise<ReadonlySet<string>> {
  if (!entries.some((entry) => entry['type'] === 'compaction')) return new Set()
  const made = new Map((await stored()).map((entry) => [entry.seq, entry]))
  const own = entries.flatMap((entry) => {
    const mark = fieldsOf(fieldsOf(entry['details'])?.['throughline'])
    const checkpoint = made.get(countOf(mark?.['seq']) ?? 0)
    const isOurs = checkpoint?.kind === 'checkpoint' && checkpoint.at === mark?.['at']
    return entry['type'] === 'compaction' && isOurs ? (nameOf(entry['id']) ?? []) : []
  })
  return new Set(own)
}

/** A compaction as pi's session file keeps it: it is whole without us, too. */
export interface PiCompaction {
  summary: string
  firstKeptEntryId: string
  details: { throughline: OwnMark }
}

// pi keeps nothing word for word where it finds no such entry.
const nothingKept = 'throughline-nothing'

/**
 * The newest checkpoint for pi, which keeps one row of its newest entries as they are. What the
 * context shows before them, and what is clipped in it, stands behind the summary as text.
 */
export async function compactionOf(
  session: Session,
  entries: readonly PiEntry[],
): Promise<PiCompaction | undefined> {
  const log = await session.log()
  const { checkpoint, pins, unpinned, items } = session.context()
  if (!checkpoint) return undefined
  const shown = shownBehindSummary(session)
  // Below this, nothing is prepared for the next compaction, either.
  const room = session.policy.prepareAt(session.budget().usable) - session.measure().tokens
  const row = newestRow(shown, entries, room)
  const words = shown.slice(0, shown.length - row.length).flatMap(({ text }) => text)
  const block = summaryBlock({
    summary: checkpoint.summary,
    pins: [...pins.values()].map((pin) => pin.text),
    takenBack: unpinned.map((pin) => pin.text),
  })
  const { seq, at } = checkpoint
  return {
    summary: [withRecallNote(block, session.policy.recallTool), ...words].join('\n\n'),
    firstKeptEntryId: row[0]?.records[0] ?? nothingKept,
    details: { throughline: { seq, at } },
  }

  function shownBehindSummary({ policy }: Session): Shown[] {
    const rest = items.filter(({ type }) => type !== 'summary')
    return project<Shown>(
      { items: rest as never },
      {
        original: (item) => ({
          records: recordsOf(item),
          text: textOf(item.message),
          clipped: clippedTokens(item),
        }),
        say: (message) => ({ records: [], text: textOf(message), clipped: 0 }),
        replace: (native) => native,
      },
      policy.summaryRole,
    )
  }

  /** How much larger the message is in pi's own words. */
  function clippedTokens({ seq, message, replacements }: MessageItem): number {
    const entry = entryAt(log, seq)
    if (!replacements?.length || entry?.kind !== 'message') return 0
    const { message: count, ratio } = session.counter
    return Math.max(0, count(entry.message) - count(message)) * ratio
  }
}

/** Something that the context shows; without records, it is not what pi has. */
interface Shown {
  records: string[]
  text: string
  /** What was clipped of it, in tokens of the model. */
  clipped: number
}

/**
 * The longest row at the end of both that pi can keep as it is: what was clipped is whole again, as
 * far as there is room.
 */
function newestRow(shown: readonly Shown[], entries: readonly PiEntry[], most: number): Shown[] {
  let room = most
  const ids = entries.filter(isSaid).flatMap((entry) => nameOf(entry['id']) ?? [])
  let end = ids.length
  let start = shown.length
  while (start > 0) {
    const { records, clipped } = shown[start - 1] as Shown
    const begin = end - records.length
    room -= clipped
    if (records.length === 0 || begin < 0 || room < 0) break
    if (records.some((record, index) => ids[begin + index] !== record)) break
    start -= 1
    end = begin
  }
  // Results never stand without their calls.
  const results = new Set(entries.filter(isResult).map((entry) => entry['id']))
  while (start < shown.length && results.has((shown[start] as Shown).records[0])) start += 1
  return shown.slice(start)
}

function isSaid({ type, message }: PiEntry): boolean {
  if (type !== 'message') return type === 'custom_message' || type === 'branch_summary'
  const { role, stopReason } = fieldsOf(message) ?? {}
  return role !== 'system' && stopReason !== 'error' && stopReason !== 'aborted'
}

function isResult({ message }: PiEntry): boolean {
  return fieldsOf(message)?.['role'] === 'toolResult'
}

const speakers = { user: 'The user said', assistant: 'The agent said', system: 'It was said' }

/** What pi can't keep as it is, in words. */
function textOf(message: Message): string {
  if (message.role === 'tool') {
    const results = message.content.flatMap((part) =>
      part.type === 'tool-result'
        ? [`[Result of ${part.toolName}]\n${outputText(part.output)}`]
        : [],
    )
    return results.join('\n')
  }
  if (message.role !== 'assistant') {
    const text = messageText(message)
    return text.startsWith('[') ? text : `[${speakers[message.role]}:]\n${text}`
  }
  const said = partsOf(message).flatMap((part) => {
    if (part.type === 'tool-call') {
      return [`[The agent called ${part.toolName}]\n${JSON.stringify(part.input)}`]
    }
    return part.type === 'text' ? [`[${speakers.assistant}:]\n${partText(part)}`] : []
  })
  return said.join('\n')
}

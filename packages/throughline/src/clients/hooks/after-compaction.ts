import { humanQuotesNote, listsOtherNames, modelsLabel } from '../../facts/labels.ts'
import { isSummaryBlock, readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { openListLabel } from '../../facts/summary/now.ts'
import { recordLabel, withRecord } from '../../compaction/summary/with-model/from-record.ts'
import { repairSummary } from '../../compaction/summary/repair.ts'
import { defaultTemplate } from '../../compaction/summary/template.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { messageText } from '../../log/message.ts'
import { usableTokens } from '../../tokens/window.ts'
import { factsIn, factsTexts, newestCompaction, pinsText } from './client-session.ts'
import type { Chronological } from '../../log/order.ts'
import { mostOfWay, sentOf, wayToNext } from '../shrunk.ts'
import type { ClientSession, FactsFrame, OwnCompaction } from './client-session.ts'
import type { SessionFacts } from '../../formats/format.ts'

/** What surrounds what is added after a compaction, and the most that the client takes, in bytes. */
type AddedFrame = FactsFrame & {
  takes: number
  /** What is added costs the client its prompt cache: then only what must stand is worth it. */
  isCostly?: boolean
}

/**
 * What the client's summary has lost, for the model that goes on behind it, and how the rest is
 * read back. `undefined` where the summary is ours, and nothing fell out of it; `''` where what fell
 * out is not worth what it costs.
 * @param isWritten whether the file holds the compaction that this is about: a client may write its
 * file after it has asked, and its model may have answered before the hook reads it
 */
export function addedAfter(
  session: ClientSession,
  { isWritten, ...frame }: AddedFrame & { isWritten: boolean },
): string | undefined {
  const { log, facts, known } = session
  const directory = facts.directory ?? frame.directory
  const compaction = newestCompaction(log)
  if (compaction && isOurs(compaction.summary)) return undefined
  const room = roomFor(session, frame, compaction)
  const text =
    compaction && (isWritten || compaction.isFresh)
      ? notSaid(compaction, { ...room, known, directory, isCostly: frame.isCostly })
      : factsTexts(session, directory)(room.planned)
  if (frame.isCostly && text === '' && pinsText(frame.asked) === '') return ''
  return added(text, frame)
}

/**
 * The same for a session that is begun anew, where it is not there yet: behind a compaction that
 * nothing has followed, or in a client that forgets what was added. `undefined` elsewhere.
 */
export function addedAtResume(
  session: ClientSession,
  { forgets, ...frame }: AddedFrame & { forgets: boolean },
): string | undefined {
  const compaction = newestCompaction(session.log)
  if (!compaction || isOurs(compaction.summary)) return undefined
  if (!compaction.isFresh && !forgets) return undefined
  const directory = session.facts.directory ?? frame.directory
  const room = roomFor(session, frame, compaction)
  const { known } = session
  return added(notSaid(compaction, { ...room, known, directory, isCostly: frame.isCostly }), frame)
}

function added(known: string, { recallTool, asked }: AddedFrame): string {
  const record = known === '' ? '' : `${recordHead}\n\n${known}`
  const back = `Everything that was said, read and printed before the compaction is kept. The tool ${recallTool} reads it back word for word: by ref (a number in brackets), by path, or by words. Use it before you read a file again.`
  return [record, pinsText(asked), back].filter((part) => part !== '').join('\n\n')
}

const recordHead =
  'From the record of this session, read by code. It adds what the summary above leaves out; where they differ, the record is right.'

const bytesPerToken = 4

function count(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** What any client takes from a hook, in tokens of four bytes. */
const leastRoom = 2_450

/** What the record may take, in tokens of four bytes. */
interface Room {
  planned: number
  /** What must stand may take so much. */
  most: number
}

/**
 * At most what the client takes, and beside its summary no more than a compaction of ours would
 * keep. Of that, as much is planned as leaves the client on its way for a while: where its window
 * is small, it would else compact after each step.
 */
function roomFor(
  { log, facts }: ClientSession,
  frame: AddedFrame,
  compaction: OwnCompaction | undefined,
): Room {
  const kept = defaultPolicy.keep(usableIn(log, facts)) - count(compaction?.summary ?? '')
  const taken = Math.min(frame.takes / bytesPerToken, Math.max(kept, leastRoom))
  const most = Math.max(taken - count(added('.', frame)), 0)
  if (!compaction) return { planned: most, most }
  const way = wayToNext(compaction.before, sentOf(compaction.left)) * mostOfWay
  const planned = Math.max(way - count(added('.', frame)), leastPlanned)
  return { planned: Math.min(planned, most), most }
}

// With less, not even the shortest record of a session can be told.
const leastPlanned = 400

/** What fits into a request, as far as the session tells: no hook is told the window. */
function usableIn(log: Chronological, { window }: SessionFacts): number {
  if (window !== undefined) return usableTokens({ context: window })
  return log.reduce((most, entry) => {
    const usage = entry.kind === 'message' ? entry.usage : undefined
    return Math.max(most, usage?.inputTokens ?? 0)
  }, 0)
}

function isOurs(summary: string): boolean {
  return isSummaryBlock(summary) || summary.includes('<prior-conversation-summary>')
}

/**
 * What the record says and the summary does not: first what a repair would add to it (rules, the
 * latest request, changed files, open errors), then, while there is room, what was found, done and
 * decided, in the words of whoever said it.
 */
function notSaid(
  { summary, before }: OwnCompaction,
  {
    known,
    directory,
    planned,
    most,
    isCostly = false,
  }: Room & {
    known: ClientSession['known']
    directory: string | undefined
    isCostly?: boolean | undefined
  },
): string {
  const told = withoutEscapes(readSummaryBlock(summary) ?? summary)
  const facts = factsIn(before, directory, known)
  const template = defaultTemplate
  const repairedIn = (room: number): string | undefined =>
    repairSummary(told, {
      facts,
      template,
      budget: count(told) + room,
      count,
      log: before,
      vouched: told,
    })
  let room = planned
  let repaired = repairedIn(room)
  // Rules and the latest request take what they need.
  while (repaired === undefined && room < most) {
    room = Math.min(room * 1.5, most)
    repaired = repairedIn(room)
  }
  repaired ??= told
  if (isCostly) return linesBeside(told, repaired)
  const left = room - count(linesBeside(told, repaired))
  const requests = before.flatMap((entry) =>
    entry.kind === 'message' && entry.origin === 'human' ? [messageText(entry.message)] : [],
  )
  const beside = [told, ...requests]
  for (let asked = left; asked > leastStatements; asked *= 0.9) {
    const budget = count(repaired) + asked
    const text = linesBeside(told, withRecord(repaired, { facts, template, budget, count, beside }))
    if (count(text) <= room) return text
  }
  return linesBeside(told, repaired)
}

const leastStatements = 100

// A shorter line may stand in a summary by chance.
const leastQuoted = 40

/** Qwen Code writes what a hook printed into its summary, as text of a markup language. */
function withoutEscapes(summary: string): string {
  return summary
    .replace(/&(lt|gt);/g, (_, name) => (name === 'lt' ? '<' : '>'))
    .replaceAll('&amp;', '&')
}

/** The lines of a text that a summary does not hold. */
function linesBeside(told: string, text: string): string {
  const said = new Set(told.split('\n').map(bare))
  const isSaid = (line: string): boolean => {
    const words = line.replace(/^- \[[^\]]*\] /, '')
    return said.has(bare(line)) || (words.length >= leastQuoted && told.includes(words))
  }
  const lines = withoutOldList(text.split('\n')).filter(
    (line) => isHeading(line) || !(isSaid(line) || saysLittle(line)),
  )
  return withoutEmptySections(withoutEmptyLabel(lines)).join('\n').trim()
}

/** Without the label of a request whose words stand in the summary. */
function withoutEmptyLabel(lines: readonly string[]): string[] {
  return lines.filter(
    (line, at) => !/^Latest request \[[^\]]*\].*:$/.test(line) || lines[at + 1]?.startsWith('>'),
  )
}

/**
 * Without the list of what was to be done: who wrote the summary has seen it, and what was done since.
 */
function withoutOldList(lines: readonly string[]): string[] {
  let isList = false
  return lines.filter((line) => {
    if (line.startsWith(openListLabel)) isList = true
    else if (!line.startsWith('- ')) isList = false
    return !isList
  })
}

/** A line without the mark of a quote: what a repair quotes of the summary stands there already. */
function bare(line: string): string {
  return line.replace(/^\s*>\s?/, '').trim()
}

const labels: ReadonlySet<string> = new Set([modelsLabel, humanQuotesNote, recordLabel])

/** Labels of what stands elsewhere, names without a statement, and what stands for nothing. */
function saysLittle(line: string): boolean {
  return labels.has(line) || listsOtherNames(line) || namesOrNothing.test(line)
}

const namesOrNothing = /^(?:Paths are relative to |\(none\)$|\(nothing recorded\)$)/

function isHeading(line: string): boolean {
  return line.startsWith('## ')
}

function withoutEmptySections(lines: readonly string[]): string[] {
  return lines.filter((line, index) => {
    if (!isHeading(line)) return true
    const rest = lines.slice(index + 1)
    const end = rest.findIndex(isHeading)
    return rest.slice(0, end === -1 ? undefined : end).some((each) => each.trim() !== '')
  })
}

import { defaultTemplate } from '../../compaction/summary/template.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { isSummaryBlock, readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { repairSummary } from '../../compaction/summary/repair.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import {
  factsText,
  newestCompaction,
  pinsText,
  type ClientSession,
  type FactsFrame,
} from './client-session.ts'
import type { Chronological } from '../../log/order.ts'

/**
 * What the client's summary has lost, for the model that goes on behind it, and how the rest is
 * read back. `undefined` where the summary is ours: nothing fell out of it.
 */
export async function addedAfter(
  { log, facts }: ClientSession,
  frame: Omit<FactsFrame, 'room'>,
): Promise<string | undefined> {
  const directory = facts.directory ?? frame.directory
  const compaction = newestCompaction(log)
  if (compaction && isOurs(compaction.summary)) return undefined
  // A client may write its file after it has asked.
  const known = compaction?.isFresh
    ? fallenOut(compaction.summary, compaction.before, directory)
    : await factsText(log, { ...frame, directory, room: addedRoom })
  return added(known, frame)
}

/**
 * The same for a session that is begun anew, where it is not there yet: behind a compaction that
 * nothing has followed, or in a client that forgets what was added. `undefined` elsewhere.
 */
export function addedAtResume(
  { log, facts }: ClientSession,
  { forgets, ...frame }: Omit<FactsFrame, 'room'> & { forgets: boolean },
): string | undefined {
  const compaction = newestCompaction(log)
  if (!compaction || isOurs(compaction.summary)) return undefined
  if (!compaction.isFresh && !forgets) return undefined
  const directory = facts.directory ?? frame.directory
  return added(fallenOut(compaction.summary, compaction.before, directory), frame)
}

function added(known: string, { recallTool, asked }: Omit<FactsFrame, 'room'>): string {
  const record =
    known === ''
      ? ''
      : `From the record of this session, read by code. It adds what the summary above leaves out; where they differ, the record is right.\n\n${known}`
  const back = `Everything that was said, read and printed before the compaction is kept. The tool ${recallTool} reads it back word for word: by ref (a number in brackets), by path, or by words. Use it before you read a file again.`
  return [record, pinsText(asked), back].filter((part) => part !== '').join('\n\n')
}

const addedRoom = 2_000

function isOurs(summary: string): boolean {
  return isSummaryBlock(summary) || summary.includes('<prior-conversation-summary>')
}

/** The lines that a repair of the summary would add to it. */
function fallenOut(summary: string, before: Chronological, directory: string | undefined): string {
  const told = readSummaryBlock(summary) ?? summary
  const facts = factsOf(before, { directories: directory === undefined ? [] : [directory] })
  const repaired = repairSummary(told, {
    facts,
    template: defaultTemplate,
    budget: estimateTokens(told) + addedRoom,
    count: estimateTokens,
    log: before,
    vouched: told,
  })
  const said = new Set(told.split('\n').map((line) => line.trim()))
  const lines = (repaired ?? '')
    .split('\n')
    .filter((line) => isHeading(line) || !(said.has(line.trim()) || saysLittle.test(line)))
  return withoutEmptySections(lines).join('\n').trim()
}

// Names without a statement, and what stands for nothing.
const saysLittle =
  /^(?:More (?:paths|names): |Paths are relative to |\(none\)$|\(nothing recorded\)$|From the record:$)/

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

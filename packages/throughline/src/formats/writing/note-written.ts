import { isSummaryBlock, readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { writtenMark } from '../../ledger/recognize-own.ts'
import { printOf, type Ledger } from '../../ledger/ledger.ts'
import { recordOf } from '../../log/client-records.ts'
import { entryAt, type Chronological } from '../../log/order.ts'
import type { Source } from '../../log/entry.ts'
import type { WrittenSession } from './format-writer.ts'

/** What is known about a written context besides its messages. */
export interface WrittenFacts {
  /** The log that it was made from, with the compaction. */
  log: Chronological
  /** Milliseconds since 1970. */
  now: number
  /** Tokens of the context before the compaction and after it. */
  before?: number
  after?: number
  source?: Source | undefined
}

/**
 * Notes in the ledger what is about to be written, so that it is known again when it is read. A
 * context without a summary needs no note: nothing in it speaks for anybody.
 * @throws what the ledger throws if it cannot keep it
 * @example
 * noteWritten(ledger, written, { log, now: Date.now() })
 */
export function noteWritten(
  ledger: Ledger,
  { summary, messages }: Pick<WrittenSession, 'summary' | 'messages'>,
  { log, now, before, after, source }: WrittenFacts,
): void {
  if (summary === undefined || !isSummaryBlock(summary)) return
  const checkpoints = log.filter((entry) => entry.kind === 'checkpoint')
  const newest = checkpoints.at(-1)
  // Copied as it is, it says the same of the same compaction.
  const again = newest && writtenMark(newest)
  const sizes = { before: again?.before ?? before, after: again?.after ?? after }
  ledger.add(readSummaryBlock(summary) ?? '', {
    at: now,
    by: again?.by ?? newest?.summarizer ?? 'local',
    generation: checkpoints.reduce((count, each) => writtenMark(each)?.generation ?? count + 1, 0),
    ...(sizes.before !== undefined && { before: Math.round(sizes.before) }),
    ...(sizes.after !== undefined && { after: Math.round(sizes.after) }),
    ...(source && { source }),
    messages: messages.map(({ message, origin, seq }) => {
      const record = seq === undefined ? undefined : recordOf(entryAt(log, seq) ?? {})
      return { print: printOf(message), origin, ...(record !== undefined && { record }) }
    }),
  })
}

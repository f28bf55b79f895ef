import { paintFor } from '../../terminal/colour.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { factLines, type Fact } from '../../terminal/facts.ts'
import { counted, percent, withThousands } from '../../terminal/numbers.ts'
import { retainedIn, retainedText } from '../../sizes/retained.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { droppedText } from '../compact/dropped-text.ts'
import { rowsDone, totalsOf } from '../compact/planned-rows.ts'
import type { Io } from '../../io.ts'
import type { Compacted } from '../compact/compact-to-keep.ts'
import type { Work } from '../compact/work.ts'

/** What the client goes on with, in a headline and at most five lines. */
export function keptLines(work: Work, compacted: Compacted, io: Io): string[] {
  const { result, after } = compacted
  const { before } = work
  if (result.report.action === 'none') return wholeLines(work, io)
  const totals = totalsOf(rowsDone(work, result))
  const summarized = totals
    .filter(({ action }) => action === 'summarized' || action === 'replaced')
    .reduce((sum, { messages }) => sum + messages, 0)
  const kept = totals.find(({ action }) => action === 'kept')
  const facts: Fact[] = [
    ['request', latestRequest(work)],
    ['kept', retainedText(retainedIn(result.messages, work.input.facts()))],
    ['newest', kept && `${counted(kept.messages, 'message')} word for word`],
    [
      'summary',
      summarized > 0 ? `${counted(summarized, 'message')}, no model was called` : undefined,
    ],
    ['dropped', droppedText(result.report.dropped)],
  ]
  const sizes = `${withThousands(before)} → ${withThousands(after)} tokens (${percent(after, before)})`
  return lines(`${work.session.name}: ${sizes}`, facts, io)
}

/** The session goes on as it is. */
export function wholeLines(work: Work, io: Io): string[] {
  const size = `${withThousands(work.before)} tokens, small enough to go on as it is`
  return lines(`${work.session.name}: ${size}`, [['request', latestRequest(work)]], io)
}

function lines(headline: string, facts: readonly Fact[], { stderr, env }: Io): string[] {
  const paint = paintFor(stderr, env)
  const width = stderr.columns()
  return [paint('bold', sanitizeLine(headline)), ...factLines(facts, { width, paint, indent: 2 })]
}

// Enough to know which request it is.
const longest = 100

function latestRequest({ input }: Work): string | undefined {
  const text = input.facts().requests.at(-1)?.text
  if (text === undefined) return undefined
  return clipColumns(sanitizeLine(text.slice(0, 1000)).replace(/\s+/g, ' ').trim(), longest)
}

import { contextOf } from '../../../../log/context/context.ts'
import { changesView } from '../../../../log/entry.ts'
import { entriesIn, rangesAt } from '../../../../log/history.ts'
import { measureItems } from '../../../../compaction/measure/measure.ts'
import { summaryRoleOf, type SummaryRole } from '../../../../compaction/render/summary-block.ts'
import { policyOf } from '../../../../config/policy-of.ts'
import { counterOf } from '../../../../tokens/counter.ts'
import { restOf, type ParsedArguments } from '../../../command.ts'
import { configurationFor } from '../../../configuration.ts'
import { CommandError, exitCodes } from '../../../errors.ts'
import { usage } from '../../../parse-arguments.ts'
import { safeJson } from '../../../output/target.ts'
import { ratioOf, realCounter } from '../../../sizes/real-counter.ts'
import { readSessionNamed } from '../../../source/read-session.ts'
import { paintFor } from '../../../terminal/colour.ts'
import { whileComputing } from '../../../terminal/status-line.ts'
import { compare, seenIn, type Difference } from './compare.ts'
import { diffLines, type Side } from './diff-lines.ts'
import type { Context } from '../../../../log/context/context.ts'
import type { Seq } from '../../../../log/entry.ts'
import type { Io } from '../../../io.ts'
import type { SessionInput } from '../../../source/read-input.ts'

/** Two contexts, or one session around its newest compaction. */
export async function runDiff(parsed: ParsedArguments, io: Io): Promise<number> {
  const configuration = await configurationFor('report', parsed, io)
  const [first = '', second = '', ...more] = restOf(parsed, 'session')
  if (first === '' || more.length > 0) throw usage('report', '--diff compares one session or two')
  if (first === '-' && second === '-') {
    throw usage('report', 'standard input holds one session: name the other')
  }
  const session = await readSessionNamed(first, configuration, io)
  const other = second === '' ? undefined : await readSessionNamed(second, configuration, io)
  const role = summaryRoleOf(policyOf(configuration, session.facts.model))
  const sides = await whileComputing(io, 'comparing', () =>
    other
      ? { before: sideOf(session, role), after: sideOf(other, role) }
      : aroundCompaction(session, role),
  )
  const differences = compare(sides.before.seen, sides.after.seen, { oneLog: !other })
  const { stdout, env } = io
  if (parsed.flags.has('json')) {
    await stdout.write(`${safeJson(diffJson(sides, differences))}\n`)
    return exitCodes.done
  }
  const shown = {
    all: parsed.flags.has('all'),
    width: stdout.columns(),
    paint: paintFor(stdout, env),
  }
  await stdout.page(`${diffLines(sides, differences, shown).join('\n')}\n`)
  return exitCodes.done
}

function sideOf(
  session: SessionInput,
  role: SummaryRole,
  context: Context = contextOf(session.log),
  name = '',
): Side {
  const estimated = counterOf({ ratio: ratioOf(session) })
  const counter = realCounter(estimated)
  const seen = seenIn(context.items, (message) => Math.round(counter.message(message)))
  const tokens = measureItems(context.items, estimated, role)
  return { name: name || session.name, seen, tokens }
}

/** @throws CommandError if the session was never compacted. */
function aroundCompaction(session: SessionInput, role: SummaryRole): { before: Side; after: Side } {
  const seq = newestCompaction(session)
  if (seq === undefined) {
    throw new CommandError(
      `${session.name} was not compacted. Name another session to compare it with.`,
    )
  }
  const { log, name } = session
  return {
    before: sideOf(session, role, contextOf(log, seq - 1), `${name} before entry ${seq}`),
    after: sideOf(session, role, contextOf(log, seq), 'after it'),
  }
}

function newestCompaction({ log }: SessionInput): Seq | undefined {
  const context = contextOf(log)
  let newest: Seq | undefined
  for (const entry of entriesIn(log, rangesAt(context.rewinds, context.seq))) {
    if (changesView(entry) && entry.kind !== 'rewind') newest = entry.seq
  }
  return newest
}

function diffJson({ before, after }: { before: Side; after: Side }, all: readonly Difference[]) {
  const side = ({ name, seen, tokens }: Side) => ({ name, messages: seen.length, tokens })
  return { version: 1, before: side(before), after: side(after), differences: all }
}

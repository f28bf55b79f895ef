import { policyOf, templateOf } from '../../config/policy-of.ts'
import { evaluate, sharesOf, type Evaluation } from '../../evaluation/evaluate.ts'
import { cutFile } from '../../evaluation/exams/cut-file.ts'
import { measureFacts, shareOf, type FactsKept } from '../../evaluation/exams/measure-facts.ts'
import { parseExam, type Exam } from '../../evaluation/exams/exam.ts'
import { openSource } from '../source/open-session.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import type { Compactor } from '../../evaluation/throughline-compactor.ts'
import { measuredSession } from '../../evaluation/measured-session.ts'
import { throughlineCompactor } from '../../evaluation/throughline-compactor.ts'
import { configurationFor } from '../configuration.ts'
import { CommandError, exitCodes } from '../errors.ts'
import { checkKeep, usableOf } from '../sizes/keep-policy.ts'
import { usage } from '../parse-arguments.ts'
import { safeJson } from '../output/target.ts'
import { sessionArgument, storeOptions } from '../shared-options.ts'
import { readSessionNamed } from '../source/read-session.ts'
import { paintFor, type Paint } from '../terminal/colour.ts'
import { tokenOption, chooseWindow } from '../sizes/window-choice.ts'
import { whileComputing } from '../terminal/status-line.ts'
import { argument, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'
import type { SessionInput } from '../source/read-input.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { factLines, type Fact } from '../terminal/table.ts'
import { counted, withThousands } from '../terminal/numbers.ts'

export const evalCommand: Command = {
  name: 'eval',
  description: [
    'Compacts the session at several points with the active policy and compares the result with what really came next. Forward need: the share of the paths and identifiers in the next 40 tool calls that is still in the context. Human words: the share of the human’s sentences that is still there word for word. Artifact trail: the share of the changed files that is named together with what happened to them. Rules: the share of inserted standing rules that is still there word for word after 1, 5 and 20 compactions. No model is called, and the same session gives the same figures.',
    'If the session’s own client compacted it, the output shows what that client kept next to what this policy keeps at the same moment with as many tokens. Here, tokens are bytes / 4, so that both are measured alike.',
  ],
  arguments: [sessionArgument],
  options: [
    {
      name: 'keep',
      value: 'TOKENS',
      help: 'The largest size of summary and kept messages together. Default: what the policy keeps in the window.',
    },
    {
      name: 'window',
      value: 'TOKENS',
      help: 'The window to compact for. Default: the one that the session recorded, else its model’s, else 200k.',
    },
    {
      name: 'exam',
      value: 'FILE',
      help: 'Compact the session where this exam says, and count which of the exam’s facts the context still states, by kind. The session must be a file.',
    },
    {
      name: 'fail-under',
      value: 'PERCENT',
      help: 'Exit with code 1 if forward need, artifact trail or rules are below this.',
    },
    { name: 'json', help: 'Print everything as one JSON object.' },
    ...storeOptions,
  ],
  examples: [
    {
      command: 'throughline eval session.jsonl',
      does: 'See how much of the session would be kept.',
    },
    {
      command: 'throughline eval sample-session.jsonl --keep 8k --fail-under 60',
      does: 'For a CI check: fail if less than 60% would be kept.',
    },
    { command: 'throughline eval session.jsonl --json', does: 'The same as JSON.' },
  ],
  run: runEval,
}

async function runEval(parsed: ParsedArguments, io: Io): Promise<number> {
  const { values, flags } = parsed
  const asked = tokenOption('eval', 'keep', values.get('keep'))
  const askedWindow = tokenOption('eval', 'window', values.get('window'))
  const least = leastOf(values.get('fail-under'))
  const configuration = await configurationFor('eval', parsed, io)
  const session = await readSessionNamed(argument(parsed, 'session'), configuration, io)
  const { window } = chooseWindow(askedWindow, session.facts, configuration)
  const policy = policyOf(configuration, session.facts.model)
  checkKeep('eval', asked, window, policy)
  const keep = asked ?? policy.keep(usableOf(window, policy))
  const template = templateOf(configuration)
  const compactor = throughlineCompactor({ policy, window, ...(template && { template }) })
  const facts = await factsOf(
    values.get('exam'),
    { argument: argument(parsed, 'session'), compactor, keep },
    io,
  )
  const evaluation = await whileComputing(io, `measuring ${session.name}`, () =>
    evaluate(measuredSession(session.name, session), { compactor, keep }),
  )
  const { stdout, env } = io
  const text = flags.has('json')
    ? safeJson(evalJson(session, evaluation, facts))
    : evalLines(session, evaluation, {
        facts,
        width: stdout.columns(),
        paint: paintFor(stdout, env),
      }).join('\n')
  await stdout.write(`${text}\n`)
  if (least !== undefined) checkShares(session.name, evaluation, least)
  return exitCodes.done
}

function leastOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const least = Number(value)
  if (/^\d{1,3}(\.\d+)?$/.test(value) && least <= 100) return least / 100
  throw usage(
    'eval',
    `--fail-under must be a percentage from 0 to 100, not ${JSON.stringify(value)}`,
  )
}

/** @throws CommandError if too little is kept, or if nothing could be measured. */
function checkShares(name: string, evaluation: Evaluation, least: number): void {
  if (evaluation.atCuts.forwardNeed.cuts === 0) {
    throw new CommandError(
      `${name}: --fail-under has nothing to measure: the session has no point after which ten things are needed again. Use a longer session.`,
    )
  }
  const under = sharesOf(evaluation).filter(({ share }) => share < least)
  if (under.length === 0) return
  const said = under.map(({ name, share }) => `${name} ${percentOf(share)}`).join(', ')
  throw new CommandError(
    `${name}: less than ${percentOf(least)} is kept: ${said}. Keep more with --keep, or change the policy.`,
  )
}

/** The object printed by `eval --json`. */
function evalJson(
  session: SessionInput,
  { keep, atCuts, lastTokens, series, recorded }: Evaluation,
  facts: FactsKept | undefined,
) {
  const { forwardNeed, kept, over, trail, invented, orphans, human, reReads } = atCuts
  const measured = forwardNeed.cuts > 0
  return {
    version: 1,
    session: { name: session.name, format: session.format, entries: session.log.length },
    keep,
    forwardNeed: {
      share: measured ? forwardNeed.mean : null,
      cuts: forwardNeed.cuts,
      worst: forwardNeed.worst ?? null,
      lastTokens: measured ? lastTokens.forwardNeed.mean : null,
    },
    kept,
    over,
    human,
    reReads,
    ...(facts && { facts: { share: shareOf(facts), kinds: facts.kinds, tokens: facts.tokens } }),
    trail,
    invented,
    orphans,
    series: series.after,
    recorded,
    skipped: { count: session.skippedCount, lines: session.skipped },
  }
}

/** How many names of files or paths a line shows. */
const shown = 5

/** What would be kept, for a reader. */
function evalLines(
  { format, facts: { model } }: SessionInput,
  { keep, atCuts, lastTokens, series, recorded }: Evaluation,
  page: { width: number; paint: Paint; facts: FactsKept | undefined },
): string[] {
  const { forwardNeed, kept, over, trail, invented, orphans, human, reReads } = atCuts
  const lines: Fact[] = [
    ['session', sanitizeLine(model === undefined ? format : `${format}, ${model}`)],
    [
      'kept',
      `${withThousands(kept.mean)} tokens, at most ${withThousands(kept.most)}; the limit was ${withThousands(keep)}${over > 0 ? `, ${counted(over, 'cut')} exceeded it` : ''}`,
    ],
    ...factsLine(page.facts),
    ['human words', `${human.held} of ${counted(human.said, 'sentence')} word for word`],
    ['forward need', forwardNeedText(forwardNeed, lastTokens.forwardNeed)],
    [
      'artifact trail',
      `${trail.right} of ${counted(trail.changed, 'changed file')} named with what happened${names(trail.missed)}`,
    ],
    ['invented paths', `${invented.length}${names(invented)}`],
    ['orphans', `${counted(orphans, 'call or result', 'calls or results')} without the other`],
    [
      'read again',
      `${counted(reReads.again, 'file')} in the next 40 calls; ${reReads.spared} of them stand in the context`,
    ],
    ['rules', rounds(series, ({ rules }) => rules)],
    ['first facts', rounds(series, ({ drift }) => drift)],
    ...recorded.map(({ harness, compactions, theirs, ours }): Fact => [
      `at ${counted(compactions, 'compaction')} by its client`,
      `${harness} kept ${percentOf(theirs.share)} of what was needed in ${withThousands(theirs.tokens)} tokens; this policy ${percentOf(ours.share)} in ${withThousands(ours.tokens)}`,
    ]),
  ]
  return factLines(lines, page)
}

/** What the exam's session would keep, cut where the exam was written. */
async function factsOf(
  path: string | undefined,
  { argument: named, compactor, keep }: { argument: string; compactor: Compactor; keep: number },
  io: Io,
): Promise<FactsKept | undefined> {
  if (path === undefined) return undefined
  let exam: Exam
  try {
    exam = parseExam(await textOf(path, io))
  } catch (error) {
    if (CommandError.isInstance(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${path}: this is no exam. ${reason}`, { cause: error })
  }
  const before = cutFile(await textOf(named, io), exam.records)
  const session = measuredSession(named, await readSession([new TextEncoder().encode(before)]))
  const [row] = await measureFacts(compactor, [{ exam, session }], keep)
  return row
}

async function textOf(path: string, io: Io): Promise<string> {
  const { chunks } = await openSource(path, io)
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces).toString('utf8')
}

function factsLine(facts: FactsKept | undefined): Fact[] {
  if (facts === undefined) return []
  const all = facts.kinds.reduce((sum, { of }) => sum + of, 0)
  const kinds = facts.kinds.map(({ kind, stated, of }) => `${kind} ${stated} of ${of}`).join(', ')
  const stated = all - facts.missed.length
  return [
    [
      'facts',
      `${stated} of ${all} (${percentOf(shareOf(facts))}) in ${withThousands(facts.tokens)} tokens: ${kinds}`,
    ],
  ]
}

function forwardNeedText(
  { cuts, mean, worst }: Evaluation['atCuts']['forwardNeed'],
  last: Evaluation['atCuts']['forwardNeed'],
): string {
  if (cuts === 0) return 'nothing to measure: nowhere are ten things needed again'
  const least = worst ? percentOf(worst.held / worst.needed) : '0%'
  return `${percentOf(mean)} at ${counted(cuts, 'cut')}, ${least} at worst; the same number of newest tokens alone holds ${percentOf(last.mean)}`
}

function rounds(
  { after }: Evaluation['series'],
  share: (row: Evaluation['series']['after'][number]) => number,
): string {
  return after
    .map((row) => `${percentOf(share(row))} after ${row.rounds}`)
    .join(', ')
    .concat(' compactions in a row')
}

function names(all: readonly string[]): string {
  if (all.length === 0) return ''
  const more = all.length > shown ? `, and ${all.length - shown} more` : ''
  return `: ${all
    .slice(0, shown)
    .map((one) => sanitizeLine(one))
    .join(', ')}${more}`
}

/** A share as a percentage with one decimal; only a complete share is shown as 100%. */
function percentOf(share: number): string {
  return share === 1 || share === 0
    ? `${share * 100}%`
    : `${Math.min(Number((share * 100).toFixed(1)), 99.9)}%`
}

import { configurationFor } from '../../configuration.ts'
import { argument, restOf, type ParsedArguments } from '../../command.ts'
import { exitCodes } from '../../errors.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { tellIfReadable } from '../../output/readable-by-others.ts'
import { targetAt } from '../../output/target.ts'
import { writeTarget } from '../../output/write-file.ts'
import { usage } from '../../parse-arguments.ts'
import { forEachSession } from '../../several-sessions.ts'
import { keptFiles } from '../../source/choose-session.ts'
import { readChosen } from '../../source/read-session.ts'
import { shownName } from '../../store/session-name.ts'
import { screenOf, type Screen } from '../../terminal/colour.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import { pageAsset, pageWith } from './page.ts'
import { chosenFor, reportFor, requestOf } from './report-for.ts'
import { headLines, reportLines } from './report-lines.ts'
import type { Io } from '../../io.ts'

const usualName = 'throughline-report.html'

/** A whole report: a page, text or figures. */
export async function runFigures(parsed: ParsedArguments, io: Io): Promise<number> {
  const output = parsed.values.get('output')
  const isPage = !parsed.flags.has('text') && !parsed.flags.has('json')
  if (restOf(parsed, 'session').length > 1 && isPage && (output ?? '-') === '-') {
    throw usage(
      'report',
      'each of several sessions has a page of its own: name a directory with -o',
    )
  }
  const several = { between: 'blank line', ending: '.html' } as const
  return forEachSession('report', parsed, io, runReport, several)
}

async function runReport(parsed: ParsedArguments, io: Io): Promise<number> {
  const { flags, values } = parsed
  const [form, other] = (['text', 'json'] as const).filter((name) => flags.has(name))
  const named = values.get('output')
  if (other) throw usage('report', 'use --text or --json, not both')
  if (form && named !== undefined) {
    throw usage('report', `--${form} prints to standard output: omit -o`)
  }
  const request = requestOf(parsed)
  const configuration = await configurationFor('report', parsed, io)
  // A missing page is reported before any work is done for it.
  const asset = form ? '' : await pageAsset()
  const chosen = await chosenFor(argument(parsed, 'session'), configuration, io)
  const isPrinted = named === '-' || (named === undefined && !io.stdout.isTerminal)
  const target =
    form || isPrinted
      ? undefined
      : await targetAt(named ?? usualName, keptFiles(chosen, configuration), io.cwd)
  const session = await readChosen(chosen, configuration, io)
  const { report, page } = await whileComputing(io, `reporting on ${session.name}`, async () => {
    const report = await reportFor(session, chosen, { request, configuration, io })
    return { report, page: form ? '' : pageWith(asset, report) }
  })
  if (form) {
    const lines = (screen: Screen): string[] => reportLines(report, screen)
    return printAnswer({ json: () => ({ ...report.model, toDo: report.toDo }), lines }, parsed, io)
  }
  if (!target) {
    await io.stdout.write(page)
    return exitCodes.done
  }
  await writeTarget(target, page)
  await tellIfReadable(target.path, io)
  const head = headLines(report, screenOf(io.stderr, io.env))
  const open = `Open ${shownName(target.name)} in a browser.`
  await io.stderr.write(`${[...head, open].join('\n')}\n`)
  return exitCodes.done
}

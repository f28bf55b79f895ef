import { configurationFor } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { safeJson, targetAt } from '../../output/target.ts'
import { keptFiles } from '../../source/choose-session.ts'
import { tellIfReadable } from '../../output/readable-by-others.ts'
import { writeTarget } from '../../output/write-file.ts'
import { usage } from '../../parse-arguments.ts'
import { readChosen } from '../../source/read-session.ts'
import { shownName } from '../../store/session-name.ts'
import { canRedraw, paintFor } from '../../terminal/colour.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import { argument, restOf } from '../../command.ts'
import { forEachSession } from '../../several-sessions.ts'
import { headLines } from './head-lines.ts'
import { pageAsset, pageWith } from './page.ts'
import { reportLines } from './report-lines.ts'
import { askedFor, chosenFor, reportFor } from './report-for.ts'
import type { Target } from '../../output/target.ts'
import type { ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'

const usualName = 'throughline-report.html'

/** The answers of a report, as a page, as text or as figures. */
export async function runFigures(parsed: ParsedArguments, io: Io): Promise<number> {
  const output = parsed.values.get('output')
  const isPage = !parsed.flags.has('text') && !parsed.flags.has('json')
  const isSeveral = restOf(parsed, 'session').length > 1
  if (isSeveral && isPage && (output === undefined || output === '-')) {
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
  const form = flags.has('text') ? 'text' : flags.has('json') ? 'json' : 'page'
  const named = values.get('output')
  if (flags.has('text') && flags.has('json'))
    throw usage('report', 'use --text or --json, not both')
  if (form !== 'page' && named !== undefined) {
    throw usage('report', `--${form} prints to standard output: omit -o`)
  }
  const asked = askedFor('report', parsed)
  const configuration = await configurationFor('report', parsed, io)
  // A missing page is told before any work is done for it.
  const asset = form === 'page' ? await pageAsset() : ''
  const chosen = await chosenFor('report', argument(parsed, 'session'), configuration, io)
  const kept = keptFiles(chosen, configuration)
  const target = form === 'page' ? await targetFor(named, kept, io) : undefined
  const session = await readChosen(chosen, configuration, io)
  const { told, page } = await whileComputing(io, `reporting on ${session.name}`, async () => {
    const told = await reportFor('report', session, chosen, { asked, configuration, io })
    return { told, page: form === 'page' ? pageWith(asset, { ...told }) : '' }
  })
  const { stdout, stderr, env } = io
  if (form === 'json') {
    await stdout.write(`${safeJson({ ...told.model, toDo: told.toDo })}\n`)
  } else if (form === 'text') {
    const shown = {
      width: stdout.columns(),
      bars: canRedraw(stdout, env),
      paint: paintFor(stdout, env),
    }
    await stdout.page(`${reportLines(told, shown).join('\n')}\n`)
  } else if (!target) {
    await stdout.write(page)
  } else {
    await writeTarget(target, page)
    await tellIfReadable(target.path, io)
    const shown = { width: stderr.columns(), bars: false, paint: paintFor(stderr, env) }
    const lines = [...headLines(told, shown), `Open ${shownName(target.name)} in a browser.`]
    await stderr.write(`${lines.join('\n')}\n`)
  }
  return exitCodes.done
}

/** Where the page goes; `undefined` for standard output. */
async function targetFor(
  named: string | undefined,
  kept: Parameters<typeof targetAt>[1],
  io: Io,
): Promise<Target | undefined> {
  if (named === '-' || (named === undefined && !io.stdout.isTerminal)) return undefined
  return targetAt(named ?? usualName, kept, io.cwd)
}

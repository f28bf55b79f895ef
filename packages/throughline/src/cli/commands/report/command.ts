import { configurationFor } from '../../configuration.ts'
import { exitCodes, codeOf, CommandError } from '../../errors.ts'
import { safeJson, targetAt, escapedJson } from '../../output/target.ts'
import { keptFiles } from '../../source/choose-session.ts'
import { tellIfReadable } from '../../output/readable-by-others.ts'
import { writeTarget } from '../../output/write-file.ts'
import { usage } from '../../parse-arguments.ts'
import { storeOptions } from '../../shared-options.ts'
import { readChosen } from '../../source/read-session.ts'
import { shownName } from '../../store/session-name.ts'
import { canRedraw, paintFor } from '../../terminal/colour.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import { argument, restOf } from '../../command.ts'
import { forEachSession } from '../../several-sessions.ts'
import { headLines } from './head-lines.ts'
import { reportLines } from './report-lines.ts'
import { askedFor, chosenFor, reportedOptions, reportFor } from './report-for.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../installed/place.ts'
import type { Target } from '../../output/target.ts'
import type { Command, ParsedArguments } from '../../command.ts'
import type { Told } from './report-for.ts'
import type { Io } from '../../io.ts'

/** What a page shows, and what it may ask of the process that serves it. */
export interface PageData extends Told {
  /** Missing in a page that stands alone. */
  live?: Live
}

/** What a served page may do. */
interface Live {
  /** The session is in the store: it can be undone, pinned and annotated. */
  stored: boolean
}

/** Where the build leaves a place for the data. */
const dataPlace = '<!-- data -->'

/**
 * The page as the build made it, without a session.
 * @throws CommandError if it is not there.
 */
export async function pageAsset(): Promise<string> {
  const file = join(packageFolder(), 'dist', 'report-page.html')
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError(
      `this installation is incomplete: ${file} cannot be read (${codeOf(error)}). Install it again, or run "npm run build" in its repository.`,
      { cause: error },
    )
  }
}

/** The page with a session in it. */
export function pageWith(asset: string, data: PageData): string {
  const element = `<script type="application/json" id="report-data">${dataText(data)}</script>`
  const page = data.live ? asset.replace("connect-src 'none'", "connect-src 'self'") : asset
  return page.replace(dataPlace, () => element)
}

/** JSON that ends no element, opens no comment and changes no direction. */
export function dataText(data: PageData): string {
  return escapedJson(JSON.stringify(data)).replaceAll('<', '\\u003c')
}

export const reportCommand: Command = {
  name: 'report',
  description: [
    'Shows what fills a session’s window, what it costs, which facts each compaction forgot, and whether your rules, requests and files are still in the context. It also shows how to undo a compaction, and how to continue. It works for every session, whichever program compacted it. If none did, it shows what a compaction would do now. No model is called, and the session is not changed.',
    'The report is a single page. It loads nothing from the network and never runs text of the session as code. The page contains the whole session, so only you can read the file. Without -o, it is written to throughline-report.html, or to standard output if that is not a terminal.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, the name of a stored session, latest, or an id from throughline list. Default: the newest session of this directory',
      optional: true,
      rest: true,
    },
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      help: 'Write the page to this file. In a directory, it has the session’s name.',
    },
    { name: 'text', help: 'Print the same answers in the terminal instead.' },
    { name: 'json', help: 'Print the figures as one JSON object instead.' },
    ...reportedOptions,
    ...storeOptions,
  ],
  examples: [
    {
      command: 'throughline report session.jsonl -o report.html',
      does: 'Write the page, and open it in a browser.',
    },
    { command: 'throughline report claude:latest --text', does: 'The same in the terminal.' },
    {
      command: 'throughline report made --text --prices in=3,out=15',
      does: 'Use your own prices.',
    },
    {
      command: 'throughline report session.jsonl sample-session.jsonl -o .',
      does: 'Write a page for each session into this directory.',
    },
  ],
  run: severalReports,
}

const usualName = 'throughline-report.html'

async function severalReports(parsed: ParsedArguments, io: Io): Promise<number> {
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

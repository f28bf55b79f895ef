import { jsonOption, storeOptions } from '../../shared-options.ts'
import { usage } from '../../parse-arguments.ts'
import { filterOptions } from '../../source/filters.ts'
import { runAll } from './all/all.ts'
import { runDiff } from './diff.ts'
import { runFill, topHelp } from './fill.ts'
import { runHistory } from './history.ts'
import { reportedOptions, windowOption, chosenFor, reportFor, requestOf } from './report-for.ts'
import {
  optionsIn,
  type Command,
  type Options,
  type ParsedArguments,
  argument,
  restOf,
} from '../../command.ts'
import type { Io } from '../../io.ts'
import { configurationFor } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { tellIfReadable } from '../../output/readable-by-others.ts'
import { targetAt } from '../../output/target.ts'
import { writeTarget } from '../../output/write-file.ts'
import { keptFiles } from '../../source/choose-session.ts'
import { readChosen } from '../../source/read-session.ts'
import { shownName } from '../../store/session-name.ts'
import { screenOf, type Screen } from '../../terminal/colour.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import { pageAsset, pageWith } from './page.ts'
import { headLines, reportLines } from './report-lines.ts'

/** What a report shows of a session. */
interface View {
  /** The options that ask for it; the page needs none. */
  asked: Options
  /** The options that say more of it. */
  with: Options
  run: (parsed: ParsedArguments, io: Io) => Promise<number>
}

const page: View = {
  asked: {},
  with: {
    '-o, --output FILE': 'Write the page to this file.',
    '--text': 'Print the same answers in the terminal instead.',
    ...reportedOptions,
    ...jsonOption,
  },
  run: runFigures,
}

const others: readonly View[] = [
  {
    asked: {
      '--all':
        'Show all sessions of this machine on one page: where tokens and money went, what compactions forgot, your rules by project, and which sessions are nearly full.',
    },
    with: {
      '-o, --output FILE': page.with['-o, --output FILE'] ?? '',
      '--text': page.with['--text'] ?? '',
      ...filterOptions,
      ...jsonOption,
    },
    run: runAll,
  },
  {
    asked: {
      '--fill':
        'Show what the model would see next and what fills it: by role, tool, file and turn; what pruning would free; which rules and changed files were found.',
    },
    with: {
      '--top N': topHelp,
      ...windowOption,
      ...jsonOption,
    },
    run: runFill,
  },
  {
    asked: {
      '--diff':
        'Compare what a model sees in two sessions, or in one before and after its newest compaction.',
    },
    with: {
      '--whole': 'With --diff: show every message and the whole summary.',
      ...jsonOption,
    },
    run: runDiff,
  },
  {
    asked: {
      '--history':
        'Show what was said, as the user saw it, including what was compacted since; with refs after the session, such as 12 or 12.0, only these messages or parts.',
      '--context': 'Show what the model sees: the summary and the kept messages.',
      '--log':
        'Show every entry on one line: messages, checkpoints, prunings, pins, rewinds, notes.',
    },
    with: jsonOption,
    run: runHistory,
  },
]

const views = [page, ...others]
const options: Options = Object.assign(
  {},
  ...views.map((view) => view.asked),
  ...views.map((view) => view.with),
)

export const reportCommand: Command = {
  name: 'report',
  description: [
    'Shows what fills a session’s window, what it costs, which facts each compaction forgot, and whether your rules, requests and files are still in the context. It also shows how to undo a compaction, and how to continue. It works for every session, whichever program compacted it. If none did, it shows what a compaction would do now. No model is called, and the session is not changed.',
    'The report is a single page. It loads nothing from the network and never runs text of the session as code. The page contains the whole session, so only you can read the file. Without -o, it is written to throughline-report.html, or to standard output if that is not a terminal.',
    'With --all, the page shows every session of the clients on this machine. The first time, each session is read once; later, only what has changed.',
    'With --fill, --diff, --history, --context or --log, one view of the session is printed instead. Text is printed without control, escape and bidi characters. JSON contains exactly what the session contains, with such characters escaped.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, - for standard input, the name of a stored session, latest, or an id from throughline list. Default: the newest session of this directory',
      optional: true,
    },
    {
      name: 'ref',
      give: 'a ref, with --history; the other session, with --diff',
      optional: true,
      rest: true,
    },
  ],
  options: { ...options, ...storeOptions },
  examples: {
    'throughline report session.jsonl -o report.html': 'Write the page, and open it in a browser.',
    'throughline report --all --since 30d': 'See what the last month cost, and what was forgotten.',
    'throughline report made --text --prices in=3,out=15': 'Use your own prices.',
    'throughline report --fill session.jsonl --window 32k --top 20':
      'See what fills the context, measured against a window of 32,000.',
    'throughline report --diff made': 'See what the newest compaction changed.',
    'throughline report --history made': 'Read a stored session.',
    'throughline report --history made 3 6.1': 'Read a message and a part of another.',
    'throughline report --log made': 'See what was done to it, and when.',
    'throughline report --context session.jsonl': 'See what the model sees of a session in a file.',
  },
  run(parsed, io) {
    const view = viewIn(parsed)
    const [ref] = restOf(parsed, 'ref')
    if (ref !== undefined && view.run !== runHistory && view.run !== runDiff) {
      throw usage('report', `${JSON.stringify(ref.slice(0, 60))} is too many: name one session`)
    }
    return view.run(parsed, io)
  },
}

/** @throws UsageError if two views are asked for, or an option says more of another. */
function viewIn({ flags, values }: ParsedArguments): View {
  const namesIn = (options: Options): string[] => optionsIn(options).map(({ name }) => name)
  const nameOf = ({ asked }: View): string => `--${namesIn(asked)[0]}`
  const asked = others.filter((view) => namesIn(view.asked).some((name) => flags.has(name)))
  const [view = page, other] = asked
  if (other) throw usage('report', `${nameOf(view)} and ${nameOf(other)} show different things`)
  const own = namesIn({ ...view.asked, ...view.with, ...storeOptions })
  const odd = [...flags, ...values.keys()].find((name) => !own.includes(name))
  if (odd === undefined) return view
  const owners = others.filter((other) => namesIn(other.with).includes(odd)).map(nameOf)
  const why = view === page ? `needs ${owners.join(' or ')}` : `says nothing of ${nameOf(view)}`
  throw usage('report', `--${odd} ${why}`)
}

const usualName = 'throughline-report.html'

/** A whole report: a page, text or figures. */
async function runFigures(parsed: ParsedArguments, io: Io): Promise<number> {
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

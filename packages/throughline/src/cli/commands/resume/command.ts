import { findProgram, surroundingsOf } from '../../../harnesses/find-program.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { configOptions, configurationFor, storeOption } from '../../configuration.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { safeJson } from '../../output/target.ts'
import { usage } from '../../parse-arguments.ts'
import { tokenOption } from '../../sizes/window-choice.ts'
import { retainedIn, retainedText } from '../../sizes/retained.ts'
import { chooseSession, type ChosenSession } from '../../source/choose-session.ts'
import { readChosen, skippedText, type SessionInput } from '../../source/read-session.ts'
import { harnessNamed } from '../../source/session-found.ts'
import { runAttached } from '../../terminal/attached.ts'
import { screenOf } from '../../terminal/colour.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { counted, withThousands } from '../../terminal/numbers.ts'
import { factLines, type Fact } from '../../terminal/table.ts'
import { destinationNamed, harnessNames, type Destination } from '../../written/handover.ts'
import {
  installJson,
  printCommands,
  recallLine,
  type InstalledSizes,
} from '../../written/install.ts'
import {
  droppedText,
  installedSizes,
  sizeChange,
  sizesText,
  totalsDone,
} from '../compact/compact-lines.ts'
import { compacting, installCompacted, type Installed } from '../compact/run.ts'
import { openWork, planOf, type Compacted, type Work } from '../compact/work.ts'
import { newestHere, pickSession } from './which-session.ts'
import type { Configuration } from '../../../config/load-config.ts'
import { argument, type Command, type Options, type ParsedArguments } from '../../command.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import type { Io } from '../../io.ts'

const options: Options = {
  '--in CLIENT': `The client that continues the session: ${harnessNames.join(', ')}. Default: the client that it comes from.`,
  '--keep TOKENS':
    'The largest size of the compacted session, such as 8k. With this option, the session is always compacted.',
  '--focus TEXT': 'The topic that the summary should cover in most detail.',
  '--window TOKENS':
    'The window to fit. Default: the one that the session recorded, else its model’s, else 200k; for another client, at most 200k.',
  '--directory DIR':
    'The directory in which the session continues. Default: its own if it exists here, else the working directory.',
  '--print': 'Print the commands that continue it, and do not start the client.',
  '--json': 'Print one JSON object instead, and do not start the client.',
  ...storeOption,
  ...configOptions,
}

/** @throws UsageError */
function resumeSettings(parsed: ParsedArguments): ResumeSettings {
  const { values, flags } = parsed
  const client = values.get('in')
  if (client !== undefined && client === '') throw usage('resume', '--in needs a client')
  return {
    session: argument(parsed, 'session'),
    client:
      client === undefined ? undefined : destinationNamed('resume', '--in', client, harnessNames),
    window: tokenOption('resume', 'window', values.get('window')),
    keep: tokenOption('resume', 'keep', values.get('keep')),
    focus: values.get('focus'),
    directory: values.get('directory'),
    print: flags.has('print'),
    json: flags.has('json'),
  }
}

export const resumeCommand: Command = {
  name: 'resume',
  description: [
    'Continues a session that ran out of room, in its own client or in another one. A session that fills more than half of its window is compacted into a new one: a summary and the newest messages word for word. No model is called. The command puts the new session where the client finds it, and starts the client with it. The original session is not changed.',
    'Without an argument, you choose from the sessions of this machine in a terminal. If there is no terminal, the newest session of the working directory is used.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, the name of a stored session, latest, or an id from throughline list',
      optional: true,
    },
  ],
  options,
  examples: {
    'throughline resume': 'Choose a session and continue it.',
    'throughline resume claude:latest': 'Continue the newest Claude Code session.',
    'throughline resume claude:latest --in codex':
      'Continue the newest Claude Code session in Codex.',
    'throughline resume latest --keep 8k --print':
      'Print the command that continues the newest session with at most 8,000 tokens.',
  },
  run: (parsed, io) => resume(resumeSettings(parsed), parsed, io),
}

interface ResumeSettings {
  /** The session as the user named it; '' for the newest of this directory. */
  session: string
  /** The client that continues it; its own if none is named. */
  client: Destination | undefined
  window: number | undefined
  keep: number | undefined
  focus: string | undefined
  directory: string | undefined
  /** Print the commands instead of starting the client. */
  print: boolean
  json: boolean
}

/** A session that its client can resume, with a report on it. */
interface Resumable extends Installed {
  lines: readonly string[]
  tokens: InstalledSizes
}

/** Continues a session in a client, compacted if that helps. */
async function resume(settings: ResumeSettings, parsed: ParsedArguments, io: Io): Promise<number> {
  const configuration = await configurationFor('resume', parsed, io)
  const chosen = await chosenSession(settings, configuration, io)
  if (!chosen) return exitCodes.interrupted
  const session = await readChosen(chosen, configuration, io)
  const work = await workFor(session, chosen, settings, configuration, io)
  const isHelped =
    settings.keep === undefined &&
    (await whileComputing(io, `measuring ${session.name}`, () => helps(work)))
  const resumable =
    (isHelped ? undefined : unchanged(chosen, work, io)) ?? (await newSession(work, isHelped, io))
  const { id, done, handover, tokens, lines } = resumable
  if (settings.json) {
    await io.stdout.write(`${safeJson(installJson(id, done, handover, tokens))}\n`)
    return exitCodes.done
  }
  await io.stderr.write(`${lines.join('\n')}\n`)
  return startClient(resumable, settings, io)
}

async function chosenSession(
  { session }: ResumeSettings,
  configuration: Configuration,
  io: Io,
): Promise<ChosenSession | undefined> {
  if (session !== '') return chooseSession(session, configuration, io)
  const inTerminal = io.stdin.isTerminal && io.stderr.isTerminal
  const found = inTerminal ? await pickSession(configuration, io) : await newestHere(io)
  return found && { type: 'found', session: found }
}

async function workFor(
  session: SessionInput,
  chosen: ChosenSession,
  { client, directory, ...settings }: ResumeSettings,
  configuration: Configuration,
  io: Io,
): Promise<Work> {
  const own = harnessNamed(session.format)
  const destination = client ?? (own && destinationNamed('resume', '--in', own.name, harnessNames))
  if (!destination) {
    throw new CommandError(
      `${session.name} is a session of ${session.format}, which cannot continue one. Name a client: --in ${harnessNames.join(', --in ')}`,
    )
  }
  const tools = destination.name === session.format ? 'as they are' : 'handed over'
  const compactSettings = {
    ...settings,
    command: 'resume',
    form: 'text',
    written: { destination, install: true, directory, tools },
    output: undefined,
    dryRun: false,
    ifNeeded: true,
  } as const
  const work = await openWork(session, compactSettings, configuration, io)
  // A session of a client on this machine is resumed in the directory where it ran.
  if (chosen.type !== 'found' || !work.handover) return work
  return { ...work, handover: { ...work.handover, directoryFrom: 'user' } }
}

/** The session itself, if it is its client's own and a compaction would not help it. */
function unchanged(chosen: ChosenSession, work: Work, io: Io): Resumable | undefined {
  const { handover, settings, session, before } = work
  if (chosen.type !== 'found' || !handover || handover.tools === 'handed over') return undefined
  if (settings.keep !== undefined) return undefined
  const { harness, file, id: known } = chosen.session
  // Copied records may name another session; a file name may hold only the beginning of its id.
  const id = session.facts.id?.startsWith(known) ? session.facts.id : known
  // Only the last command starts the client; the others import what it has already.
  const resume = harness.resume({ session: id, file }).slice(-1)
  const tokens = installedSizes(work, planOf(work), before)
  const done = { how: 'placed', file, resume } as const
  return { id, done, handover, tokens, lines: unchangedLines(work, io) }
}

async function newSession(work: Work, isHelped: boolean, io: Io): Promise<Resumable> {
  const asked: Work = isHelped
    ? { ...work, trigger: 'manual', input: { ...work.input, trigger: 'manual' } }
    : work
  const compacted = await compacting(asked, io)
  const installed = await installCompacted(asked, compacted, io)
  const tokens = installedSizes(work, compacted.result.plan, compacted.after)
  if (compacted.result.report.action === 'none') {
    return { ...installed, tokens, lines: unchangedLines(asked, io) }
  }
  const lines = [...keptLines(asked, compacted, io), recallLine(installed.handover, io)]
  return { ...installed, tokens, lines }
}

/** Whether the next request is larger than what a compaction brings it down to. */
function helps(work: Work): boolean {
  const { measurement, budget } = planOf(work)
  return measurement.tokens > budget.lowWater
}

/** What the client continues with, in a headline and at most five lines. */
function keptLines(work: Work, compacted: Compacted, io: Io): string[] {
  const { result, after } = compacted
  const totals = totalsDone(work, result)
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
    ['skipped', skippedText(work.session)],
    ['sizes', sizesText(work, result.plan)],
  ]
  return headed(work, sizeChange(work.before, after), facts, io)
}

function unchangedLines(work: Work, io: Io): string[] {
  const size = `${withThousands(work.before)} tokens, small enough to go on as it is`
  const facts: Fact[] = [
    ['request', latestRequest(work)],
    ['skipped', skippedText(work.session)],
    ['sizes', sizesText(work, planOf(work))],
  ]
  return headed(work, size, facts, io)
}

function headed(
  { session }: Work,
  text: string,
  facts: readonly Fact[],
  { stderr, env }: Io,
): string[] {
  const { paint, width } = screenOf(stderr, env)
  const headline = paint('bold', sanitizeLine(`${session.name}: ${text}`))
  return [headline, ...factLines(facts, { width, paint, indent: 2 })]
}

// Enough to know which request it is.
const longest = 100

function latestRequest({ input }: Work): string | undefined {
  const text = input.facts().requests.at(-1)?.text
  if (text === undefined) return undefined
  return clipColumns(sanitizeLine(text.slice(0, 1000)).replace(/\s+/g, ' ').trim(), longest)
}

/**
 * Starts the client on the session and waits until it ends; prints the commands where it can't be
 * started: outside a terminal, without the client's program, or in a directory that only the
 * session names.
 */
async function startClient(
  { done, handover }: Resumable,
  { print }: ResumeSettings,
  io: Io,
): Promise<number> {
  const [name = '', ...given] = done.resume[0] ?? []
  const { directory, directoryFrom, destination } = handover
  const mayStart = !print && io.stdin.isTerminal && io.stdout.isTerminal && directoryFrom === 'user'
  const starts = mayStart && done.how !== 'waiting' && done.resume.length === 1
  const program = starts ? await findProgram(name, surroundingsOf(io.env)) : undefined
  if (program === undefined) {
    await printCommands(done, handover, io, starts ? name : undefined)
    return exitCodes.done
  }
  await io.stderr.write(`Starting ${destination.label}.\n`)
  return runAttached({ program, arguments: given, directory, variables: io.env })
}

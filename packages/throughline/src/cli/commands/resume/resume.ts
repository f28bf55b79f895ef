import { harnessNamed } from '../../source/session-found.ts'
import { chooseSession } from '../../source/choose-session.ts'
import { readChosen } from '../../source/read-session.ts'
import { configurationFor } from '../../configuration.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { safeJson } from '../../output/target.ts'
import { destinationNamed, harnessNames } from '../../written/destination.ts'
import { installJson, type InstalledSizes } from '../../written/install.ts'
import { compacting, installCompacted, openWork, planOf } from '../compact/run.ts'
import { newestHere, pickSession } from './which-session.ts'
import { findProgram, surroundingsOf } from '../../../harnesses/find-program.ts'
import { runAttached } from '../../terminal/attached.ts'
import { beforeCommands, commandLines, recallLine } from '../../written/install-lines.ts'
import { paintFor } from '../../terminal/colour.ts'
import { clipColumns } from '../../terminal/columns.ts'
import { factLines } from '../../terminal/table.ts'
import { counted, percent, withThousands } from '../../terminal/numbers.ts'
import { retainedIn, retainedText } from '../../sizes/retained.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { droppedText } from '../compact/dropped-text.ts'
import { installedSizes, sizesText } from '../compact/report-lines.ts'
import { rowsDone, totalsOf } from '../compact/planned-rows.ts'
import type { ChosenSession } from '../../source/choose-session.ts'
import type { Harness } from '../../../formats/writing/harness.ts'
import type { Configuration } from '../../../config/load-config.ts'
import type { InstalledSession } from '../../../harnesses/install/install-session.ts'
import type { ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'
import type { SessionInput } from '../../source/read-input.ts'
import type { GoesTo } from '../../written/goes-to.ts'
import type { Work } from '../compact/work.ts'
import type { Fact } from '../../terminal/table.ts'
import type { Compacted } from '../compact/compact-to-keep.ts'
import { type Destination } from '../../written/destination.ts'

/** The options of `resume`. */
export interface ResumeSettings {
  /** The session as the user named it; '' for the newest of this directory. */
  session: string
  /** The client that continues it; its own where none is named. */
  client: Destination | undefined
  window: number | undefined
  keep: number | undefined
  focus: string | undefined
  directory: string | undefined
  /** Print the commands instead of starting the client. */
  print: boolean
  json: boolean
}

/** What the client goes on with, in a headline and at most five lines. */
function keptLines(work: Work, compacted: Compacted, io: Io): string[] {
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
    ['sizes', sizesText(work, result.plan)],
  ]
  const sizes = `${withThousands(before)} → ${withThousands(after)} tokens (${percent(after, before)})`
  return lines(`${work.session.name}: ${sizes}`, facts, io)
}

/** The session goes on as it is. */
function wholeLines(work: Work, io: Io): string[] {
  const size = `${withThousands(work.before)} tokens, small enough to go on as it is`
  const facts: Fact[] = [
    ['request', latestRequest(work)],
    ['sizes', sizesText(work, planOf(work))],
  ]
  return lines(`${work.session.name}: ${size}`, facts, io)
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

/** A session that is where its client finds it. */
interface Resumable {
  /** Its id. */
  session: string
  installed: InstalledSession
  goesTo: GoesTo
  lines: readonly string[]
  tokens: InstalledSizes
}

/** Continues a session in a client, compacted if that helps. */
export async function resume(
  settings: ResumeSettings,
  parsed: ParsedArguments,
  io: Io,
): Promise<number> {
  const configuration = await configurationFor('resume', parsed, io)
  const chosen = await chosenSession(settings, configuration, io)
  if (!chosen) return exitCodes.interrupted
  const session = await readChosen(chosen, configuration, io)
  const work = await workFor(session, chosen, settings, configuration, io)
  const resumable = (await asItIs(chosen, work, io)) ?? (await newSession(work, io))
  if (settings.json) {
    const { session: id, installed, goesTo, tokens } = resumable
    await io.stdout.write(`${safeJson(installJson(id, installed, goesTo, tokens))}\n`)
    return exitCodes.done
  }
  await io.stderr.write(`${resumable.lines.join('\n')}\n`)
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
  settings: ResumeSettings,
  configuration: Configuration,
  io: Io,
): Promise<Work> {
  const { window, keep, focus, directory } = settings
  const own = harnessNamed(session.format)
  const destination =
    settings.client ?? (own && destinationNamed('resume', '--in', own.name, harnessNames))
  if (!destination) {
    throw new CommandError(
      `${session.name} is a session of ${session.format}, which cannot continue one. Name a client: --in ${harnessNames.join(', --in ')}`,
    )
  }
  const tools = destination.name === session.format ? 'as they are' : 'handed over'
  const work = await openWork(
    session,
    {
      command: 'resume',
      session: settings.session,
      window,
      keep,
      focus,
      form: 'text',
      written: { destination, install: true, directory, tools },
      output: undefined,
      dryRun: false,
      ifNeeded: true,
    },
    configuration,
    io,
  )
  const { goesTo } = work
  // Whoever resumes a session of a client on this machine wants it to run where it ran.
  if (chosen.type !== 'found' || !goesTo) return work
  return { ...work, goesTo: { ...goesTo, directoryFrom: 'user' } }
}

/** The session itself, if it is its client's own and a compaction would not help it. */
async function asItIs(chosen: ChosenSession, work: Work, io: Io): Promise<Resumable | undefined> {
  const { goesTo, settings, session, before } = work
  if (chosen.type !== 'found' || !goesTo || goesTo.tools === 'handed over') return undefined
  if (settings.keep !== undefined || isHelped(work)) return undefined
  const { harness, file, id: known } = chosen.session
  // Copied records may name another session; a file name may hold only the beginning of its id.
  const id = session.facts.id?.startsWith(known) ? session.facts.id : known
  const installed = { how: 'placed', file, resume: commandsFor(harness, id, file) } as const
  const tokens = installedSizes(work, planOf(work), before)
  return { session: id, installed, goesTo, tokens, lines: wholeLines(work, io) }
}

/** Only the last command starts the client; the others import what it has already. */
function commandsFor(harness: Harness, session: string, file: string): InstalledSession['resume'] {
  return harness.resume({ session, file }).slice(-1)
}

async function newSession(work: Work, io: Io): Promise<Resumable> {
  const always = work.settings.keep === undefined && isHelped(work)
  const asked: Work = always
    ? { ...work, trigger: 'manual', input: { ...work.input, trigger: 'manual' } }
    : work
  const compacted = await compacting(asked, io)
  const { id, done, goesTo } = await installCompacted(asked, compacted, io)
  const tokens = installedSizes(work, compacted.result.plan, compacted.after)
  const isCut = compacted.result.report.action !== 'none'
  const lines = [...keptLines(asked, compacted, io), ...(isCut ? [recallLine(goesTo, io)] : [])]
  return { session: id, installed: done, goesTo, tokens, lines }
}

/** Whether the next request is larger than what a compaction brings it down to. */
function isHelped(work: Work): boolean {
  const { measurement, budget } = planOf(work)
  return measurement.tokens > budget.lowWater
}

/**
 * Starts the client on the session and waits until it ends; prints the commands where it can't be
 * started: outside a terminal, without the client's program, or in a directory that only the
 * session names.
 */
async function startClient(
  { installed, goesTo }: Resumable,
  { print }: ResumeSettings,
  io: Io,
): Promise<number> {
  const [command] = installed.resume
  const [name = '', ...given] = command ?? []
  const inTerminal = io.stdin.isTerminal && io.stdout.isTerminal
  const mayStart = !print && inTerminal && goesTo.directoryFrom === 'user'
  const ready = installed.how !== 'waiting' && installed.resume.length === 1
  const program = mayStart && ready ? await findProgram(name, surroundingsOf(io.env)) : undefined
  if (program === undefined) {
    const missing =
      mayStart && ready ? `${name} is not on the PATH. Where it is installed, run:` : ''
    await io.stderr.write(`${missing || beforeCommands(installed, goesTo)}\n`)
    await io.stdout.write(`${commandLines(installed, goesTo, io).join('\n')}\n`)
    return exitCodes.done
  }
  await io.stderr.write(`Starting ${goesTo.destination.label}.\n`)
  const { directory } = goesTo
  return runAttached({ program, arguments: given, directory, variables: io.env })
}

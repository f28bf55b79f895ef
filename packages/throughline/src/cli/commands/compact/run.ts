import { randomUUID } from 'node:crypto'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { configurationFor } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { tellIfReadable } from '../../output/readable-by-others.ts'
import { secretsIn, secretsText } from '../../output/secrets.ts'
import { escapedJson, safeJson, targetAt, type Target } from '../../output/target.ts'
import { writeTarget } from '../../output/write-file.ts'
import { chooseSession, keptFiles } from '../../source/choose-session.ts'
import { readChosen } from '../../source/read-session.ts'
import { shownName } from '../../store/session-name.ts'
import { screenOf, type Screen } from '../../terminal/colour.ts'
import { whileComputing, whileShowing } from '../../terminal/status-line.ts'
import {
  install,
  installFacts,
  installJson,
  printCommands,
  recallLine,
} from '../../written/install.ts'
import { installedSizes, planLines, reportLines } from './compact-lines.ts'
import { compactJson } from './compact-json.ts'
import { compactToKeep, noteCompacted } from './compact-to-keep.ts'
import { costBefore, refusalOf, whyNotUsed } from './model/model-cost.ts'
import { commit, openWork, planOf, type Compacted, type Work } from './work.ts'
import type { InstalledSession } from '../../../harnesses/install/install-session.ts'
import type { WrittenFile, WrittenSession } from '../../../formats/writing/format-writer.ts'
import type { ParsedArguments } from '../../command.ts'
import type { Fact } from '../../terminal/table.ts'
import type { Handover } from '../../written/handover.ts'
import type { Io } from '../../io.ts'
import type { CompactSettings } from './settings.ts'

/** Compacts a session, and prints, writes or installs the result. */
export async function runCompact(
  settings: CompactSettings,
  parsed: ParsedArguments,
  io: Io,
): Promise<number> {
  const { output } = settings
  const configuration = await configurationFor('compact', parsed, io)
  const chosen = await chooseSession(settings.session, configuration, io)
  const target =
    (output ?? '-') === '-'
      ? undefined
      : await targetAt(output ?? '', keptFiles(chosen, configuration), io.cwd)
  const session = await readChosen(chosen, configuration, io)
  const work = await openWork(session, settings, configuration, io)
  if (settings.dryRun) return printPlan(work, parsed, io)
  const compacted = await compactedBy(work, io)
  await commit(session, compacted.result, configuration, io)
  await deliver(work, compacted, target, io)
  // A script must notice that its model can never answer.
  return refusalOf(compacted.result.report) ? exitCodes.failed : exitCodes.done
}

/** A model and plugins are waited for, and can be stopped; all else is only computed. */
function during({ settings, plugins }: Work): typeof whileShowing {
  return settings.model !== undefined || plugins.length > 0 ? whileShowing : whileComputing
}

/** Compacts while a line in the terminal says so. */
export async function compacting(work: Work, io: Io): Promise<Compacted> {
  const compacted = await during(work)(io, `compacting ${work.session.name}`, () =>
    compactToKeep(work, io.signal),
  )
  for (const { message } of compacted.result.pluginErrors) {
    await io.stderr.write(`${sanitizeLine(message)}\n`)
  }
  return compacted
}

/** Compacts with the requested model, and says first what it will cost. */
async function compactedBy(work: Work, io: Io): Promise<Compacted> {
  const { model } = work.settings
  const cost = model && costBefore(model, work, planOf(work))
  if (cost !== undefined) await io.stderr.write(`${cost}\n`)
  return compacting(work, io)
}

async function printPlan(work: Work, parsed: ParsedArguments, io: Io): Promise<number> {
  const plan = await during(work)(io, `planning for ${work.session.name}`, async () =>
    // Without a model, it is really compacted: the length of the tail depends on the summary.
    work.settings.model ? planOf(work) : (await compactToKeep(work, io.signal)).result.plan,
  )
  const lines = (screen: Screen): string[] => planLines(work, plan, screen)
  return printAnswer({ json: () => compactJson(work, { plan }), lines }, parsed, io)
}

/** Sends the result of a compaction to its destination, and reports on standard error. */
async function deliver(
  work: Work,
  compacted: Compacted,
  target: Target | undefined,
  io: Io,
): Promise<void> {
  const { handover } = work
  const { session } = compacted
  if (handover?.install && session) return deliverInstalled(work, compacted, io)
  await noteCompacted(work, compacted, io)
  const text = handover && session ? escapedJson(write(session, handover).text) : compacted.text
  const report = reportText(work, compacted, io)
  if (target) {
    await writeTarget(target, text)
    await tellIfReadable(target.path, io)
  }
  if (target) await io.stderr.write(report)
  else await io.stdout.page(text, { text: report, to: io.stderr })
}

function write(session: WrittenSession, { destination, directory, model }: Handover): WrittenFile {
  const identity = { session: randomUUID(), newId: randomUUID, now: Date.now(), directory, model }
  return destination.writer.write(session, identity)
}

/** A session that is where its client finds it. */
export interface Installed {
  id: string
  done: InstalledSession
  handover: Handover
}

/**
 * Installs a compacted session in the harness that it is written for.
 * @throws InstallError, InterruptedError
 */
export async function installCompacted(
  work: Work,
  compacted: Compacted,
  io: Io,
): Promise<Installed> {
  const { handover } = work
  const { session } = compacted
  const harness = handover?.destination.harness
  if (!session || !harness) throw new Error('this session is written for no harness')
  const written = write(session, handover)
  await noteCompacted(work, compacted, io)
  return { id: written.session, done: await install(written, { harness, handover }, io), handover }
}

async function deliverInstalled(work: Work, compacted: Compacted, io: Io): Promise<void> {
  const { id, done, handover } = await installCompacted(work, compacted, io)
  if (work.settings.form === 'json') {
    const tokens = installedSizes(work, compacted.result.plan, compacted.after)
    await io.stdout.write(`${safeJson(installJson(id, done, handover, tokens))}\n`)
    return
  }
  const more = installFacts(done, handover, io)
  await io.stderr.write(`${reportText(work, compacted, io, more)}${recallLine(handover, io)}\n`)
  await printCommands(done, handover, io)
}

/** What was done, and what a reader of the output must know. */
function reportText(
  work: Work,
  compacted: Compacted,
  { stderr, env }: Io,
  more: readonly Fact[] = [],
): string {
  const unused = whyNotUsed(work.settings.model, compacted.result)
  const notes = [unused, secretsNote(work, compacted)].flatMap((note) =>
    note === undefined ? [] : [`throughline: ${note}`],
  )
  const lines = reportLines(work, compacted, screenOf(stderr, env), more)
  return [...lines, ...notes, ''].join('\n')
}

function secretsNote({ session, handover }: Work, { result }: Compacted): string | undefined {
  const found = handover?.install ? undefined : secretsText(secretsIn(result.context))
  if (found === undefined) return undefined
  const { stored } = session
  const remedy =
    stored === undefined
      ? 'To remove one, put the session in the store (throughline import), then: throughline redact SESSION REF'
      : `To remove one: throughline redact ${shownName(stored)} REF`
  return `${found}. ${remedy}`
}

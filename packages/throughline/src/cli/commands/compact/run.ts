import { planCompaction, type Plan } from '../../../compaction/plan/plan.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { ContextFloorError } from '../../../compaction/errors.ts'
import { pluginsOf, policyOf, templateOf } from '../../../config/policy-of.ts'
import { configurationFor } from '../../configuration.ts'
import { checkKeep } from '../../sizes/keep-policy.ts'
import { CommandError, exitCodes } from '../../errors.ts'
import { targetAt, type Target } from '../../output/target.ts'
import { safeJson, escapedJson } from '../../output/safe-json.ts'
import { chooseSession, keptFiles } from '../../source/choose-session.ts'
import { readChosen } from '../../source/read-session.ts'
import { paintFor } from '../../terminal/colour.ts'
import { whileShowing } from '../../terminal/while-showing.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import { goesTo, type GoesTo } from '../../written/goes-to.ts'
import { commit } from './commit.ts'
import { compactJson } from './compact-json.ts'
import { compactToKeep, type Compacted } from './compact-to-keep.ts'
import { planLines } from './plan-lines.ts'
import { workOn, type Work } from './work.ts'
import type { ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'
import type { CompactSettings } from './settings.ts'
import { randomUUID } from 'node:crypto'
import { writeTarget } from '../../output/write-file.ts'
import { installJson } from '../../written/install-json.ts'
import { beforeCommands, commandLines, installFacts } from '../../written/install-lines.ts'
import { install } from '../../written/install.ts'
import { reportLines } from './report-lines.ts'
import type { Harness } from '../../../formats/writing/harness.ts'
import type { WrittenFile, WrittenSession } from '../../../formats/writing/format-writer.ts'
import type { Fact } from '../../terminal/facts.ts'

/** Compacts a session, and prints, writes or installs the result. */
export async function runCompact(
  settings: CompactSettings,
  parsed: ParsedArguments,
  io: Io,
): Promise<number> {
  const { command, output, written } = settings
  const configuration = await configurationFor(command, parsed, io)
  const chosen = await chooseSession(settings.session, configuration, io)
  const target =
    output === undefined || output === '-'
      ? undefined
      : await targetAt(output, keptFiles(chosen, configuration), io.cwd)
  const session = await readChosen(chosen, configuration, io)
  const circumstances = {
    choice: chooseWindow(settings.window, session.facts, configuration),
    policy: policyOf(configuration, session.facts.model),
    template: templateOf(configuration),
    plugins: pluginsOf(configuration),
    goesTo: written && (await goesTo(written, session, io)),
  }
  checkKeep(command, settings.keep, circumstances.choice.window, circumstances.policy)
  const work = await whileShowing(io, `measuring ${session.name}`, () =>
    workOn(session, settings, circumstances),
  )
  if (settings.dryRun) return printPlan(work, io)
  const compacted = await whileShowing(io, `compacting ${session.name}`, () =>
    compactToKeep(work, io.signal),
  )
  for (const { message } of compacted.result.pluginErrors) {
    await io.stderr.write(`${sanitizeLine(message)}\n`)
  }
  // A copy that continues in another harness changes nothing for the original session.
  if (command === 'compact') await commit(session, compacted.result, configuration, io)
  return deliver(work, compacted, target, io)
}

async function printPlan(work: Work, io: Io): Promise<number> {
  const { stdout, env } = io
  const plan = await whileShowing(io, `planning for ${work.session.name}`, () => planOf(work))
  const text =
    work.settings.form === 'json'
      ? safeJson(compactJson(work, { plan }))
      : planLines(work, plan, paintFor(stdout, env), stdout.columns()).join('\n')
  await stdout.write(`${text}\n`)
  return exitCodes.done
}

function planOf({ input, session }: Work): Plan {
  try {
    return planCompaction(input)
  } catch (error) {
    if (!(error instanceof ContextFloorError)) throw error
    throw new CommandError(`${session.name}: ${error.message}`, { cause: error })
  }
}

/** Sends the result of a compaction to its destination, and reports on standard error. */
async function deliver(
  work: Work,
  compacted: Compacted,
  target: Target | undefined,
  io: Io,
): Promise<number> {
  const { goesTo } = work
  const { session } = compacted
  const now = Date.now()
  const written = goesTo && session && write(session, goesTo, now)
  const harness = goesTo?.install ? goesTo.destination.harness : undefined
  if (goesTo && written && harness) {
    return installed(work, compacted, { written, harness, goesTo, now }, io)
  }
  const text = written ? escapedJson(written.text) : compacted.text
  if (target) await writeTarget(target, text)
  else await io.stdout.write(text)
  await report(work, compacted, [], io)
  return exitCodes.done
}

function write(
  session: WrittenSession,
  { destination, directory }: GoesTo,
  now: number,
): WrittenFile {
  const identity = { session: randomUUID(), newId: randomUUID, now, directory }
  return destination.writer.write(session, identity)
}

async function installed(
  work: Work,
  compacted: Compacted,
  given: { written: WrittenFile; harness: Harness; goesTo: GoesTo; now: number },
  io: Io,
): Promise<number> {
  const { written, goesTo } = given
  const done = await install(written, given, io)
  if (work.settings.form === 'json') {
    const tokens = { before: work.before, after: compacted.after }
    await io.stdout.write(`${safeJson(installJson(written.session, done, goesTo, tokens))}\n`)
    return exitCodes.done
  }
  await report(work, compacted, installFacts(done, goesTo, io), io)
  await io.stderr.write(`${beforeCommands(done, goesTo)}\n`)
  await io.stdout.write(`${commandLines(done, goesTo, io).join('\n')}\n`)
  return exitCodes.done
}

async function report(
  work: Work,
  compacted: Compacted,
  more: readonly Fact[],
  { stderr, env }: Io,
): Promise<void> {
  const shown = { paint: paintFor(stderr, env), width: stderr.columns(), more }
  await stderr.write(`${reportLines(work, compacted, shown).join('\n')}\n`)
}

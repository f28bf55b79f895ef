import { planCompaction } from '../../compaction/plan/plan.ts'
import { sanitizeLine } from '../../log/sanitize.ts'
import { ContextFloorError } from '../../compaction/errors.ts'
import { pluginsOf, policyOf, templateOf } from '../../config/policy-of.ts'
import { configurationFor } from '../config/options.ts'
import { checkKeep } from '../keep-policy.ts'
import { CommandError } from '../errors.ts'
import { exitCodes } from '../exit-code.ts'
import { targetAt } from '../output/target.ts'
import { safeJson } from '../safe-json.ts'
import { chooseSession, keptFiles } from '../store/choose-session.ts'
import { readChosen } from '../store/read-session.ts'
import { paintFor } from '../terminal/colour.ts'
import { whileShowing } from '../while-showing.ts'
import { chooseWindow } from '../window-choice.ts'
import { goesTo } from '../written/goes-to.ts'
import { commit } from './commit.ts'
import { compactJson } from './compact-json.ts'
import { compactToKeep } from './compact-to-keep.ts'
import { deliver } from './deliver.ts'
import { planLines } from './plan-lines.ts'
import { workOn, type Work } from './work.ts'
import type { ParsedArguments } from '../command.ts'
import type { Plan } from '../../compaction/plan/plan.ts'
import type { Io } from '../io.ts'
import type { CompactSettings } from './settings.ts'

/** Compacts a session, and prints, writes or installs what came of it. */
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
  // What goes on in another harness changes nothing for the one that it comes from.
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

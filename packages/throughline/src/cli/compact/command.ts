import { planCompaction } from '../../compaction/plan.ts'
import { ContextFloorError } from '../../compaction/errors.ts'
import { policyOf, templateOf } from '../../config/policy-of.ts'
import { configurationFor } from '../config/options.ts'
import { checkKeep } from '../keep-policy.ts'
import { CommandError } from '../errors.ts'
import { exitCodes } from '../exit-code.ts'
import { targetAt } from '../output/target.ts'
import { writeTarget } from '../output/write-file.ts'
import { safeJson } from '../safe-json.ts'
import { sessionArgument } from '../session-argument.ts'
import { chooseSession, keptFiles } from '../store/choose-session.ts'
import { readChosen } from '../store/read-session.ts'
import { paintFor } from '../terminal/colour.ts'
import { whileShowing } from '../while-showing.ts'
import { chooseWindow } from '../window-choice.ts'
import { commit } from './commit.ts'
import { compactJson } from './compact-json.ts'
import { compactToKeep } from './compact-to-keep.ts'
import { planLines } from './plan-lines.ts'
import { reportLines } from './report-lines.ts'
import { compactOptions, compactSettings } from './settings.ts'
import { workOn, type Work } from './work.ts'
import type { Command } from '../command.ts'
import type { Io } from '../io.ts'
import type { Plan } from '../../compaction/plan.ts'

export const compactCommand: Command = {
  name: 'compact',
  group: 'Sessions as files',
  summary: 'Print the session as a context that fits its window.',
  description: [
    'Prints the compacted context, a summary and then the newest messages word for word, to standard output, and a short report to standard error. A session that fits its window is printed as it is; one that fits when its old tool outputs are pruned needs no summary. No model is called.',
    'Of a session in the store the compaction is kept there, too, until throughline undo takes it back; a file is never changed.',
    'Text and Markdown are printed without control, escape and bidi characters, whoever wrote them into the session. JSON says exactly what the session holds, with such characters escaped.',
  ],
  arguments: [sessionArgument],
  options: compactOptions,
  examples: [
    {
      command: 'throughline compact session.jsonl',
      does: 'Print what a model has to know to go on.',
    },
    {
      command: 'throughline compact session.jsonl --window 32k --dry-run',
      does: 'Show what would be kept, clipped, pruned and summarised for a window of 32,000.',
    },
    {
      command:
        'throughline compact session.jsonl --keep 8k --focus "the failing tests" -o short.md --format markdown',
      does: 'Write at most 8,000 tokens to short.md, most of them about the failing tests.',
    },
    {
      command: 'throughline compact - --format ai-sdk --force < session.jsonl',
      does: 'Read standard input; print the messages for generateText() of the AI SDK.',
    },
    {
      command: 'throughline compact made --window 32k',
      does: 'Compact a session of the store.',
    },
  ],
  run: async (parsed, io) => {
    const settings = compactSettings(parsed)
    const configuration = await configurationFor('compact', parsed, io)
    const chosen = await chooseSession(settings.session, configuration, io)
    const target =
      settings.output === undefined || settings.output === '-'
        ? undefined
        : await targetAt(settings.output, keptFiles(chosen, configuration), io.cwd)
    const session = await readChosen(chosen, configuration, io)
    const choice = chooseWindow(settings.window, session.facts, configuration)
    const policy = policyOf(configuration, session.facts.model)
    checkKeep('compact', settings.keep, choice.window, policy)
    const work = await whileShowing(io, `measuring ${session.name}`, () =>
      workOn(session, settings, { choice, policy, template: templateOf(configuration) }),
    )
    if (settings.dryRun) return printPlan(work, io)
    const compacted = await whileShowing(io, `compacting ${session.name}`, () =>
      compactToKeep(work, io.signal),
    )
    await commit(session, compacted.result, configuration, io)
    if (target) await writeTarget(target, compacted.text)
    else await io.stdout.write(compacted.text)
    const lines = reportLines(work, compacted, paintFor(io.stderr, io.env), io.stderr.columns())
    await io.stderr.write(`${lines.join('\n')}\n`)
    return exitCodes.done
  },
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

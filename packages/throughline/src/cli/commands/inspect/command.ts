import { policyOf } from '../../../config/policy-of.ts'
import { configurationFor } from '../../configuration.ts'
import { exitCodes } from '../../errors.ts'
import { usage } from '../../parse-arguments.ts'
import { safeJson } from '../../output/target.ts'
import { sessionArgument, storeOptions } from '../../shared-options.ts'
import { readSessionNamed } from '../../source/read-session.ts'
import { canRedraw, paintFor } from '../../terminal/colour.ts'
import { tokenOption, chooseWindow, type WindowChoice } from '../../sizes/window-choice.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import { inspect, type Inspection } from './inspection.ts'
import { inspectLines } from './inspect-lines.ts'
import { argument, type Command, type ParsedArguments } from '../../command.ts'
import { forEachSession } from '../../several-sessions.ts'
import { moneyOf } from '../../sizes/session-money.ts'
import type { Io } from '../../io.ts'
import type { SessionInput } from '../../source/read-input.ts'

const usualTop = 5

export const inspectCommand: Command = {
  name: 'inspect',
  description: [
    'Shows what the model would see next and what fills this context, in tokens as its model counts them: by role, tool, file and turn; what pruning would free; what its requests have cost; which rules and changed files were found. Nothing is compacted.',
  ],
  arguments: [{ ...sessionArgument, rest: true }],
  options: [
    {
      name: 'window',
      value: 'TOKENS',
      help: 'The window to measure against. Default: the one that the session recorded, else its model’s, else 200k.',
    },
    { name: 'top', value: 'N', help: `How many of each kind to show (default ${usualTop}).` },
    { name: 'json', help: 'Print everything as one JSON object.' },
    ...storeOptions,
  ],
  examples: [
    { command: 'throughline inspect session.jsonl', does: 'See what fills the context.' },
    {
      command: 'throughline inspect session.jsonl --window 32k --top 20',
      does: 'Show twenty of each kind, measured against a window of 32,000.',
    },
    {
      command: 'throughline inspect session.jsonl made',
      does: 'Look at several sessions, one after the other.',
    },
    { command: 'throughline inspect - --json < session.jsonl', does: 'The same as JSON.' },
  ],
  run: (parsed, io) => forEachSession('inspect', parsed, io, runInspect, { between: 'blank line' }),
}

async function runInspect(parsed: ParsedArguments, io: Io): Promise<number> {
  const { values, flags } = parsed
  const { stdout, env } = io
  const asked = tokenOption('inspect', 'window', values.get('window'))
  const top = topOf(values.get('top'))
  const configuration = await configurationFor('inspect', parsed, io)
  const session = await readSessionNamed(argument(parsed, 'session'), configuration, io)
  const choice = chooseWindow(asked, session.facts, configuration)
  const policy = policyOf(configuration, session.facts.model)
  const found = await whileComputing(io, `looking at ${session.name}`, () =>
    inspect(session, choice, policy),
  )
  if (flags.has('json')) {
    await stdout.write(`${safeJson(inspectJson(session, choice, found))}\n`)
    return exitCodes.done
  }
  const lines = inspectLines(session, choice, found, {
    top,
    width: stdout.columns(),
    bars: canRedraw(stdout, env),
    paint: paintFor(stdout, env),
  })
  await stdout.write(`${lines.join('\n')}\n`)
  return exitCodes.done
}

function topOf(value: string | undefined): number {
  if (value === undefined) return usualTop
  if (/^\d{1,6}$/.test(value) && Number(value) > 0) return Number(value)
  throw usage('inspect', `--top must be a whole number, 1 or more, not ${JSON.stringify(value)}`)
}

/** The object printed by `inspect --json`: everything, not only the largest. */
function inspectJson(session: SessionInput, { window, from }: WindowChoice, found: Inspection) {
  const { facts } = session
  return {
    version: 1,
    session: {
      name: session.name,
      format: session.format,
      id: facts.id ?? null,
      model: facts.model ?? null,
      directory: facts.directory ?? null,
      entries: session.log.length,
      omitted: facts.omitted ?? {},
    },
    window: { ...window, from, usable: found.usable },
    context: {
      tokens: Math.round(found.tokens),
      messages: found.messages,
      measurement: found.measurement,
    },
    cost: moneyOf(session) ?? null,
    roles: found.roles.map(rounded),
    tools: found.tools.map(rounded),
    files: found.files.map(rounded),
    turns: found.turns.map(rounded),
    prunable: found.prunable,
    rules: found.rules,
    changed: found.changed.map(({ path, state, edits, from, to, seqs }) => ({
      path,
      state,
      edits,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      seqs,
    })),
    skipped: { count: session.skippedCount, lines: session.skipped },
  }
}

function rounded<Item extends { tokens: number }>(item: Item): Item {
  return { ...item, tokens: Math.round(item.tokens) }
}

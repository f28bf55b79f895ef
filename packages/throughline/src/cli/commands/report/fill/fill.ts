import { policyOf } from '../../../../config/policy-of.ts'
import { configurationFor } from '../../../configuration.ts'
import { exitCodes } from '../../../errors.ts'
import { usage } from '../../../parse-arguments.ts'
import { safeJson } from '../../../output/target.ts'
import { readSessionNamed } from '../../../source/read-session.ts'
import { canRedraw, paintFor } from '../../../terminal/colour.ts'
import { tokenOption, chooseWindow, type WindowChoice } from '../../../sizes/window-choice.ts'
import { whileComputing } from '../../../terminal/status-line.ts'
import { inspect, type Inspection } from './inspection.ts'
import { inspectLines } from './inspect-lines.ts'
import { argument, type ParsedArguments } from '../../../command.ts'
import { forEachSession } from '../../../several-sessions.ts'
import { moneyOf } from '../../../sizes/session-money.ts'
import type { Io } from '../../../io.ts'
import type { SessionInput } from '../../../source/read-input.ts'

export const usualTop = 5

/** What the model would see next, and what fills it. */
export function runFill(parsed: ParsedArguments, io: Io): Promise<number> {
  return forEachSession('report', parsed, io, fillOf, { between: 'blank line' })
}

async function fillOf(parsed: ParsedArguments, io: Io): Promise<number> {
  const { values, flags } = parsed
  const { stdout, env } = io
  const asked = tokenOption('report', 'window', values.get('window'))
  const top = topOf(values.get('top'))
  const configuration = await configurationFor('report', parsed, io)
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
  throw usage('report', `--top must be a whole number, 1 or more, not ${JSON.stringify(value)}`)
}

/** The object printed by `report --fill --json`: everything, not only the largest. */
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

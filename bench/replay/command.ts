import { ContextFloorError } from '../../packages/throughline/src/compaction/errors.ts'
import { policyOf, templateOf } from '../../packages/throughline/src/config/policy-of.ts'
import { configurationFor } from '../../packages/throughline/src/cli/configuration.ts'
import {
  checkKeep,
  policyKeeping,
  usableOf,
} from '../../packages/throughline/src/cli/sizes/keep-policy.ts'
import {
  CommandError,
  InterruptedError,
  exitCodes,
} from '../../packages/throughline/src/cli/errors.ts'
import { safeJson } from '../../packages/throughline/src/cli/output/target.ts'
import { sessionArgument, storeOptions } from '../../packages/throughline/src/cli/shared-options.ts'
import {
  readSessionNamed,
  type SessionInput,
} from '../../packages/throughline/src/cli/source/read-session.ts'
import { frameOf } from '../../packages/throughline/src/cli/source/session-found.ts'
import {
  paintFor,
  canRedraw,
  type Paint,
} from '../../packages/throughline/src/cli/terminal/colour.ts'
import {
  tokenOption,
  chooseWindow,
  type WindowChoice,
} from '../../packages/throughline/src/cli/sizes/window-choice.ts'
import {
  statusLine,
  whileComputing,
} from '../../packages/throughline/src/cli/terminal/status-line.ts'
import { costLines, type Costs, costsJson } from './costs/cost-lines.ts'
import { policyCosts, clientCost } from './costs/policy-costs.ts'
import { pricesOption } from '../../packages/throughline/src/cli/sizes/prices-option.ts'
import { pricedRun } from './costs/priced-run.ts'
import { pricesOf } from '../../packages/throughline/src/tokens/prices.ts'
import { startingRatio } from '../../packages/throughline/src/tokens/calibration.ts'
import { counterOf, type Counter } from '../../packages/throughline/src/tokens/counter.ts'
import { moneyOf } from '../../packages/throughline/src/cli/sizes/session-money.ts'
import { replayLines, compactionText, type ReplayCost } from './replay-lines.ts'
import { replaySession, type ReplayEnd, type ReplayOptions, type Replay } from './replay-session.ts'
import {
  argument,
  type Command,
  type ParsedArguments,
} from '../../packages/throughline/src/cli/command.ts'
import type { Prices } from '../../packages/throughline/src/tokens/price-table.ts'
import type { Io } from '../../packages/throughline/src/cli/io.ts'
import { retainedIn } from '../../packages/throughline/src/cli/sizes/retained.ts'
import { bar } from '../../packages/throughline/src/cli/terminal/table.ts'
import { clipColumns, columnsOf } from '../../packages/throughline/src/cli/terminal/columns.ts'
import { counted } from '../../packages/throughline/src/cli/terminal/numbers.ts'
import { formatTokens } from '../../packages/throughline/src/tokens/windows.ts'

export const replayCommand: Command = {
  name: 'replay',
  description: [
    'Feeds the recorded session through the agent loop step by step, as it happened, compacting as it goes. Prints what was compacted, what was sent, what it cost and what is left, and compares this with what the session’s own client did. Compactions by the session’s own client are ignored. No model is called.',
    'While it runs, a meter on standard error shows how full the context is. Ctrl-C stops the replay and prints what was done so far.',
  ],
  arguments: [sessionArgument],
  options: {
    '--window TOKENS':
      'The window to replay it in, such as 32k. Default: the one that the session recorded, else its model’s, else 200k.',
    '--keep TOKENS': 'The largest size of summary and kept messages together after a compaction.',
    '--prices PRICES':
      'Show what the session costs as its own client compacted it, without compaction, under the policy of docs/seeds.md, under yours, and with yours compacted at the size that costs least (preset `economic`). PRICES is in=3,out=15 in US dollars per million tokens, optionally with cache-read=… and cache-write=… (default: one tenth of in, and one quarter more than in); or the name of a model with known prices; or `model` for the session’s own model.',
    '--json': 'Print one JSON object instead of the table.',
    '-q, --quiet': 'Show no meter.',
    ...storeOptions,
  },
  examples: {
    'npm run bench:replay -- session.jsonl --window 32k':
      'See how the session would have gone in a window of 32,000 tokens.',
    'npm run bench:replay -- session.jsonl --window 32k --keep 6k --json --quiet':
      'The same with a smaller summary, as JSON.',
    'npm run bench:replay -- session.jsonl --window 64k --prices in=3,out=15':
      'Compare the cost of the whole session with and without compaction.',
  },
  run: runReplay,
}

async function runReplay(parsed: ParsedArguments, io: Io): Promise<number> {
  const keep = tokenOption('replay', 'keep', parsed.values.get('keep'))
  const asked = tokenOption('replay', 'window', parsed.values.get('window'))
  const quiet = parsed.flags.has('quiet')
  const configuration = await configurationFor('replay', parsed, io)
  const session = await readSessionNamed(argument(parsed, 'session'), configuration, io, {
    quiet,
  })
  const { model } = session.facts
  const choice = chooseWindow(asked, session.facts, configuration)
  const policy = policyOf(configuration, model)
  checkKeep('replay', keep, choice.window, policy)
  const meter = meterOn(io, usableOf(choice.window, policy), { quiet })
  const prices = pricesOption('replay', parsed.values.get('prices'), model)
  const options: ReplayOptions = {
    window: choice.window,
    policy: policyKeeping(policy, keep),
    template: templateOf(configuration),
    frame: frameOf(session.facts),
    signal: io.signal,
    onProgress: meter.show,
    now: io.now,
  }
  const named = prices ?? (model === undefined ? undefined : pricesOf(model))
  const meterOfCosts = named && pricedRun(named, options.frame, plainCounter(model), 'head')
  const end = await replaySession(session.log, {
    ...options,
    ...(meterOfCosts && { onRequest: meterOfCosts.onRequest }),
  })
  if (end.error === undefined) await meter.show(end.replay)
  await meter.clear()
  const costs = prices && end.error === undefined && (await costsOf(session, options, prices, io))
  const json = parsed.flags.has('json')
  // Half a replay costs half, which says nothing beside the whole of the client's.
  const cost =
    named && meterOfCosts && end.error === undefined
      ? {
          own: meterOfCosts.cost().requests.dollars,
          client: clientCost(session.log, options, named),
          model: pricesName(parsed.values.get('prices'), model),
        }
      : undefined
  const shown = { json, cost, ...(costs && { costs }) }
  await io.stdout.write(resultText(session, choice, end, shown, io))
  if (end.error === undefined) return exitCodes.done
  throw stopped(session, end, io)
}

function plainCounter(model: string | undefined): Counter {
  return counterOf({ ratio: startingRatio(model) })
}

/** Whose prices were taken. */
function pricesName(asked: string | undefined, model: string | undefined): string {
  if (asked?.includes('=')) return 'your own'
  return asked === undefined || asked === 'model' ? (model ?? '') : asked
}

async function costsOf(
  { name, log }: SessionInput,
  options: ReplayOptions,
  prices: Prices,
  io: Io,
): Promise<Costs> {
  const quietly = { ...options, onProgress: async () => {} }
  const policies = await whileComputing(io, `pricing ${name}`, () =>
    policyCosts(log, quietly, prices),
  )
  return { prices, policies }
}

function resultText(
  session: SessionInput,
  choice: WindowChoice,
  end: ReplayEnd,
  { json, cost, costs }: { json: boolean; cost: ReplayCost | undefined; costs?: Costs },
  { stdout, env }: Io,
): string {
  if (json) {
    const whole = { ...replayJson(session, choice, end), cost: costJson(cost, session) }
    return `${safeJson({ ...whole, ...costsJson(costs) })}\n`
  }
  const paint = paintFor(stdout, env)
  const width = stdout.columns()
  const lines = replayLines(session, choice, end, { cost, paint, width })
  return `${[...lines, ...(costs ? costLines(costs, { paint, width }) : [])].join('\n')}\n`
}

/** US dollars: of the replay, of its own client by the same counts, and by the provider's count. */
function costJson(cost: ReplayCost | undefined, session: SessionInput) {
  if (!cost) return null
  const { own, client } = cost
  const counted = moneyOf(session)?.dollars ?? null
  return { own, client: client.dollars, counted, prices: cost.model }
}

function stopped({ name }: SessionInput, { replay, error }: ReplayEnd, { signal }: Io): unknown {
  const where = `after ${replay.done} of ${replay.of} steps`
  if (signal.aborted)
    return new InterruptedError(`interrupted ${where}; this is what was done so far.`)
  if (!(error instanceof ContextFloorError)) return error
  return new CommandError(`${name}: stopped ${where}. ${error.message}`, { cause: error })
}

/** The object printed by `replay --json`. */
function replayJson(
  session: SessionInput,
  { window, from }: WindowChoice,
  { replay, usable, messages, facts: index, error }: ReplayEnd,
) {
  return {
    version: 1,
    session: {
      name: session.name,
      format: session.format,
      id: session.facts.id ?? null,
      model: session.facts.model ?? null,
    },
    window: { ...window, from, usable },
    complete: error === undefined,
    steps: { done: replay.done, of: replay.of },
    compactions: replay.compactions,
    requests: replay.requests,
    tokens: {
      sent: replay.sent,
      uncompacted: replay.uncompacted,
      tooLarge: replay.tooLarge,
    },
    largest: replay.largest,
    retained: retainedIn(messages, index),
    skipped: { count: session.skippedCount, lines: session.skipped },
  }
}

/** Shows the progress of a replay. */
interface Meter {
  show: (replay: Replay) => Promise<void>
  clear: () => Promise<void>
}

/** A line that is redrawn in a terminal; elsewhere, an occasional line. */
function meterOn(io: Io, usable: number, { quiet }: { quiet: boolean }): Meter {
  if (quiet) return { show: async () => {}, clear: async () => {} }
  if (!canRedraw(io.stderr, io.env)) return plainMeter(io, usable)
  const status = statusLine(io)
  const paint = paintFor(io.stderr, io.env)
  return {
    show: (replay) => status.show((columns) => meterText(replay, usable, columns, paint)),
    clear: status.clear,
  }
}

const widestBar = 30
const narrowestBar = 5

/** The meter within this many columns: how full the context is, and the progress of the replay. */
export function meterText(
  { tokens, done, of, compactions }: Replay,
  usable: number,
  columns: number,
  paint: Paint,
): string {
  const numbers = ` ${formatTokens(tokens)}/${formatTokens(usable)}  step ${done}/${of}  ${counted(compactions.length, 'compaction')}`
  const room = columns - columnsOf(numbers)
  if (room < narrowestBar) return clipColumns(numbers.trim(), columns)
  const share = usable > 0 ? tokens / usable : 1
  const colour = share < 0.7 ? 'green' : share < 0.95 ? 'yellow' : 'red'
  return paint(colour, bar(share, Math.min(room, widestBar))) + numbers
}

const linesOnTheWay = 10

function plainMeter({ stderr }: Io, usable: number): Meter {
  let compactions = 0
  let tenths = 0
  return {
    async show(replay) {
      const lines: string[] = []
      for (const compaction of replay.compactions.slice(compactions)) {
        lines.push(`before step ${compaction.step}: ${compactionText(compaction)}`)
      }
      compactions = replay.compactions.length
      const reached = Math.floor((replay.done / Math.max(replay.of, 1)) * linesOnTheWay)
      if (reached > tenths) {
        tenths = reached
        const size = `${formatTokens(replay.tokens)} of ${formatTokens(usable)} tokens`
        lines.push(`${replay.done} of ${replay.of} steps: ${size} in the context`)
      }
      if (lines.length > 0) await stderr.write(`${lines.join('\n')}\n`)
    },
    clear: async () => {},
  }
}

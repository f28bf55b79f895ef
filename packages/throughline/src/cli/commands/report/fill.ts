import { contextOf, type Context } from '../../../log/context/context.ts'
import { unitsOf, type Unit } from '../../../log/steps.ts'
import { messageText } from '../../../log/message.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { measure, measureFrame, type Measurement } from '../../../compaction/measure/measure.ts'
import { pruneCandidates } from '../../../compaction/prune/prune.ts'
import { staleRefs } from '../../../compaction/prune/stale.ts'
import { renderContext } from '../../../compaction/render/render.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { policyOf } from '../../../config/policy-of.ts'
import {
  addFilling,
  belowRoot,
  fillings,
  largestFirst,
  type Counting,
} from '../../../report/filling.ts'
import { itemKinds, partTokens, sumOfKinds } from '../../../report/kinds.ts'
import { planInputFor } from '../../../session/once/plan-input.ts'
import {
  estimatedTokens,
  modelTokens,
  sumEstimated,
  toEstimated,
  toModel,
} from '../../../tokens/units.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { argument, type ParsedArguments } from '../../command.ts'
import { configurationFor } from '../../configuration.ts'
import { printAnswer } from '../../output/print-answer.ts'
import { countOption } from '../../parse-arguments.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { moneyOf } from '../../sizes/session-money.ts'
import { chooseWindow, tokenOption, type WindowChoice } from '../../sizes/window-choice.ts'
import { readSessionNamed, skippedText, type SessionInput } from '../../source/read-session.ts'
import { frameOf } from '../../source/session-found.ts'
import { clipColumnsStart, clipPath, clipWords, columnsOf } from '../../terminal/columns.ts'
import { counted, dollarText, percent, withThousands } from '../../terminal/numbers.ts'
import { whileComputing } from '../../terminal/status-line.ts'
import {
  bar,
  factLines,
  indentedText,
  section,
  shareTable,
  type Fact,
} from '../../terminal/table.ts'
import type { ContextItem } from '../../../log/context/context-item.ts'
import type { Seq } from '../../../log/entry.ts'
import type { FileFact, RuleFact } from '../../../facts/facts.ts'
import type { Policy } from '../../../compaction/policy.ts'
import type { Filling, Kind } from '../../../report/model.ts'
import type { Counter } from '../../../tokens/counter.ts'
import type { Screen } from '../../terminal/colour.ts'
import type { Io } from '../../io.ts'

const usualTop = 5
export const topHelp = `With --fill: how many of each kind to show (default ${usualTop}).`

/** What the model would see next, and what fills it. */
export async function runFill(parsed: ParsedArguments, io: Io): Promise<number> {
  const asked = tokenOption('report', 'window', parsed.values.get('window'))
  const top = countOption('report', 'top', parsed, { usual: usualTop })
  const configuration = await configurationFor('report', parsed, io)
  const session = await readSessionNamed(argument(parsed, 'session'), configuration, io)
  const choice = chooseWindow(asked, session.facts, configuration)
  const policy = policyOf(configuration, session.facts.model)
  const found = await whileComputing(io, `looking at ${session.name}`, () =>
    inspect(session, choice, policy),
  )
  const answer = {
    json: () => fillJson(session, choice, found),
    lines: (screen: Screen) => fillLines(session, choice, found, { ...screen, top }),
  }
  return printAnswer(answer, parsed, io)
}

/** What fills a context, in tokens of the model. */
interface Inspection {
  /** The tokens of the next request: system prompt, tools and messages. */
  tokens: number
  usable: number
  measurement: Measurement
  messages: number
  roles: Filling[]
  tools: Filling[]
  files: Filling[]
  turns: Turn[]
  prunable: Prunable
  rules: RuleFact[]
  changed: FileFact[]
  /** The directory that paths are shown relative to. */
  root: string | undefined
}

function inspect(session: SessionInput, { window }: WindowChoice, policy: Policy): Inspection {
  const frame = frameOf(session.facts)
  const input = planInputFor(session.log, { ...frame, window, policy })
  const { counter } = input
  const context = contextOf(session.log)
  const units = unitsOf(context.items)
  const counting = { counter, summaryRole: summaryRoleOf(policy) }
  const { summaryRole } = counting
  const facts = input.facts()
  const { system, tools } = measureFrame(frame, counter)
  const fixed = system + tools
  const usable = usableOf(window, policy)
  const root = facts.root || session.facts.directory
  const sizeOf = (part: Parameters<typeof partTokens>[0]): number => partTokens(part, counter)
  return {
    tokens: measure({ ...context, measured: undefined }, frame, counter, summaryRole).tokens,
    usable,
    measurement: measure(context, frame, counter, summaryRole),
    messages: renderContext(context.items, summaryRole).messages.length,
    roles: rolesIn(context.items, counting, fixed),
    ...fillings(units, { sizeOf, root, lenses: policy.lenses }),
    turns: turnsOf(units, counting),
    prunable: prunableOf(units, context, policy, { usable, counter }),
    rules: facts.rules,
    changed: [...facts.files.values()].filter(({ state }) => state !== 'read'),
    root,
  }
}

const roleNames: Readonly<Record<Kind, string>> = {
  fixed: 'system prompt',
  summary: 'summary',
  human: 'human',
  harness: 'harness',
  assistant: 'assistant',
  thinking: 'thinking',
  calls: 'tool calls',
  results: 'tool results',
}

/** The size of a context by author; `fixed` is that of the system prompt. */
export function rolesIn(
  items: readonly ContextItem[],
  counting: Counting,
  fixed: number,
): Filling[] {
  const roles = new Map<string, Filling>()
  if (fixed > 0) addFilling(roles, roleNames.fixed, fixed)
  for (const item of items) {
    for (const [kind, tokens] of Object.entries(itemKinds(item, counting)) as [Kind, number][]) {
      const isNote = item.type !== 'message' && kind === 'harness'
      const name = isNote ? 'notes of a compaction' : roleNames[kind]
      if (tokens > 0) addFilling(roles, name, tokens)
    }
  }
  return largestFirst(roles)
}

/** The size of one turn in the context: a human message and everything up to the next one. */
interface Turn {
  /** The entry of the human message, or of the first message if no human began. */
  seq: Seq
  /** The beginning of the human message. */
  text: string
  steps: number
  tokens: number
}

const longestText = 200

/** The turns in the order in which the model sees them. */
export function turnsOf(units: readonly Unit[], counting: Counting): Turn[] {
  const turns: Turn[] = []
  for (const unit of units) {
    if (unit.type === 'human') {
      const text = sanitizeLine(messageText(unit.message).slice(0, longestText))
      turns.push({ seq: unit.seq, text: text || '(no text)', steps: 0, tokens: 0 })
    } else if (turns.length === 0) {
      turns.push({ seq: unit.item.seq, text: '(before the first turn)', steps: 0, tokens: 0 })
    }
    const turn = turns.at(-1) as Turn
    if (unit.type === 'step') turn.steps += 1
    for (const item of unit.items) turn.tokens += sumOfKinds(itemKinds(item, counting))
  }
  return turns
}

/** What pruning could free, in tokens. */
interface Prunable {
  tokens: number
  /** How many outputs and inputs of calls would be pruned or clipped. */
  parts: number
  /** The part of the tokens in outputs that a later read or edit made stale. */
  stale: number
}

function prunableOf(
  units: readonly Unit[],
  context: Context,
  policy: Policy,
  { usable, counter }: { usable: number; counter: Counter },
): Prunable {
  const candidates = pruneCandidates({
    units,
    need: estimatedTokens(Infinity),
    recent: toEstimated(modelTokens(policy.recent(usable)), counter.ratio),
    recentSteps: policy.recentSteps,
    tailTurns: policy.tailTurns,
    protectedTools: policy.protectedTools,
    pinned: new Set([...context.pins.values()].flatMap(({ ref }) => (ref ? [ref] : []))),
    stale: staleRefs(units, policy.lenses),
    counter,
  })
  const sum = (of: typeof candidates): number =>
    toModel(sumEstimated(of.map(({ frees }) => frees)), counter.ratio)
  return {
    tokens: sum(candidates),
    parts: candidates.length,
    stale: sum(candidates.filter(({ stale }) => stale)),
  }
}

/** The object printed by `report --fill --json`: everything, not only the largest. */
function fillJson(session: SessionInput, { window, from }: WindowChoice, found: Inspection) {
  const { name, format, facts, log, skipped, skippedCount } = session
  const rounded = <Item extends { tokens: number }>(item: Item): Item => {
    return { ...item, tokens: Math.round(item.tokens) }
  }
  return {
    version: 1,
    session: {
      name,
      format,
      id: facts.id ?? null,
      model: facts.model ?? null,
      directory: facts.directory ?? null,
      entries: log.length,
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
    skipped: { count: skippedCount, lines: skipped },
  }
}

/** A screen, and how many of each kind are shown. */
interface Page extends Screen {
  top: number
}

function fillLines(
  session: SessionInput,
  choice: WindowChoice,
  found: Inspection,
  page: Page,
): string[] {
  const { tokens: whole, rules, changed } = found
  const { top } = page
  const largest = new Set(found.turns.toSorted((a, b) => b.tokens - a.tokens).slice(0, top))
  const turns = found.turns
    .filter((turn) => largest.has(turn))
    .map(({ seq, text, steps, tokens }) => ({ name: `[${seq}] ${text}`, count: steps, tokens }))
  const shared = { ...page, indent: 2, whole }
  return [
    ...headLines(session, choice, found, page),
    ...section(page, 'By role', shareTable(found.roles, { ...shared, top: found.roles.length })),
    ...section(page, 'By tool', shareTable(found.tools, { ...shared, unit: 'call' })),
    ...section(
      page,
      'By file',
      shareTable(found.files, { ...shared, unit: 'call', clip: 'start' }),
    ),
    ...section(page, 'By turn', shareTable(turns, { ...shared, unit: 'step' })),
    '',
    ...indentedText(prunableText(found), { ...page, indent: 0 }),
    ...section(page, `The human’s rules: ${rules.length}`, ruleLines(rules, page)),
    ...section(page, `Changed files: ${changed.length}`, fileLines(found, page)),
  ]
}

function headLines(
  session: SessionInput,
  { window, from }: WindowChoice,
  found: Inspection,
  { paint, bars, width }: Page,
): string[] {
  const { facts, format, log } = session
  const names = [format, facts.model, facts.directory].filter((name) => name !== undefined)
  const { tokens, source } = found.measurement
  const isCounted = source === 'usage'
  // As in the list and the report: what the provider counted is what fills the window.
  const size = isCounted ? tokens : found.tokens
  const meter = bars ? `${bar(found.usable > 0 ? size / found.usable : 1, 20)} ` : ''
  const omitted = Object.entries(facts.omitted ?? {}).map(([name, count]) => `${count} ${name}`)
  const lines: Fact[] = [
    ['session', names.join(', ')],
    [
      'log',
      `${counted(log.length, 'entry', 'entries')}, ${counted(found.messages, 'message')} in the context`,
    ],
    [
      'context',
      `${meter}${withThousands(size)} of ${withThousands(found.usable)} tokens usable, ${percent(size, found.usable)}`,
    ],
    ['window', `${formatTokens(window.context)} (${from})`],
    [
      'counted',
      isCounted
        ? `by the provider, with system prompt and tools; the messages below are about ${withThousands(found.tokens)} of it`
        : undefined,
    ],
    ['cost', costText(session)],
    ['not seen', omitted.length > 0 ? `by the model: records (${omitted.join(', ')})` : undefined],
    ['skipped', skippedText(session)],
  ]
  const safe = lines.map(([name, text]): Fact => [name, text && sanitizeLine(text)])
  return [
    paint('bold', clipColumnsStart(session.name, width)),
    ...factLines(safe, { width, paint, indent: 2 }),
  ]
}

function costText(session: SessionInput): string | undefined {
  const money = moneyOf(session)
  if (!money) return undefined
  const left = money.unpriced > 0 ? `; ${counted(money.unpriced, 'more')} of unknown price` : ''
  return `${dollarText(money.dollars)} so far for ${counted(money.requests, 'request')}, at list prices${left}`
}

function prunableText({ prunable, tokens }: Inspection): string {
  if (prunable.tokens === 0) return 'Pruning would free nothing.'
  const stale = prunable.stale > 0 ? `, ${withThousands(prunable.stale)} of them stale` : ''
  return `Pruning would free ${withThousands(prunable.tokens)} tokens (${percent(prunable.tokens, tokens)}) in ${counted(prunable.parts, 'old output or input', 'old outputs and inputs')}${stale}.`
}

function ruleLines(rules: readonly RuleFact[], { top, width }: Page): string[] {
  const lines = rules.slice(-top).map(({ text, seq, retractedBy }) => {
    const taken = retractedBy === undefined ? '' : ` (withdrawn in entry ${retractedBy})`
    return clipWords(`  [${seq}] ${sanitizeLine(text)}${taken}`, width)
  })
  return withMore(lines, rules.length)
}

function fileLines({ changed, root }: Inspection, { top, width }: Page): string[] {
  const newest = changed.toSorted((a, b) => (b.seqs.at(-1) ?? 0) - (a.seqs.at(-1) ?? 0))
  const lines = newest.slice(0, top).map(({ path, state, edits, to }) => {
    const what = state === 'renamed' && to !== undefined ? `renamed to ${to}` : state
    const often = edits > 1 ? `, ${edits} edits` : ''
    const happened = sanitizeLine(`(${what}${often})`)
    const room = width - 3 - columnsOf(happened)
    return `  ${clipPath(sanitizeLine(belowRoot(root, path)), room)} ${happened}`
  })
  return withMore(lines, changed.length)
}

function withMore(lines: readonly string[], all: number): string[] {
  const more = all - lines.length
  return more > 0 ? [...lines, `  … and ${more} more; --top ${all} shows all`] : [...lines]
}
